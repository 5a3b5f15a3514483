// Requests to the kernel, with a timeout after which a view tells the reader that the kernel is busy or gone.

import { say } from "./words.js";

const PATIENCE = 4000; // ms
export const NO_ANSWER = say(
  "No answer yet: the kernel is busy, or it is not running. If nothing comes, run this cell again",
);

// Call a function that sends something to the kernel. JupyterLab throws an error if the kernel is gone. No answer comes
// then, and the view says so after a while.
export function attempt(send) {
  try {
    send();
  } catch {
    // `patience` tells the reader
  }
}

// Returns ask(send), which calls send(), a function that sends a request, and end(), to call when the answer comes.
// tell(words): called with a sentence for the reader if no answer comes in time.
export function patience(tell) {
  let timer = 0;
  const end = () => clearTimeout(timer);
  const ask = (send) => {
    end();
    timer = setTimeout(() => tell(say("{reason}.", { reason: NO_ANSWER })), PATIENCE);
    attempt(send);
  };
  return { ask, end };
}
