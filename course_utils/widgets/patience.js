// A timeout for requests to the kernel, after which a view tells the reader that the kernel is busy or gone.

const PATIENCE = 4000; // ms
export const NO_ANSWER =
  "No answer yet: the kernel is busy, or it is not running. If nothing comes, run this cell again";

// Returns start(), to call when a request is sent, and end(), to call when its answer comes. say() is called if no
// answer comes in time.
export function patience(say) {
  let timer = 0;
  const end = () => clearTimeout(timer);
  const start = () => {
    end();
    timer = setTimeout(say, PATIENCE);
  };
  return { start, end };
}
