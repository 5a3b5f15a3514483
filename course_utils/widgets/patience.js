// A timeout for requests to the kernel, after which a view tells the reader that the kernel is busy or gone.

import { say } from "./words.js";

const PATIENCE = 4000; // ms
export const NO_ANSWER = say(
  "No answer yet: the kernel is busy, or it is not running. If nothing comes, run this cell again",
);

// Returns start(), to call when a request is sent, and end(), to call when its answer comes. tell() is called if no
// answer comes in time.
export function patience(tell) {
  let timer = 0;
  const end = () => clearTimeout(timer);
  const start = () => {
    end();
    timer = setTimeout(tell, PATIENCE);
  };
  return { start, end };
}
