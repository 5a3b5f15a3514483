// A kernel that is gone never answers, and one that is busy answers late: after a while, a view says so.

const PATIENCE = 4000; // ms
export const NO_ANSWER =
  "No answer yet: the kernel is busy, or it is not running. If nothing comes, run this cell again";

// Returns start(), for when the kernel is asked, and end(), for when it has answered; between them say() may be called.
export function patience(say) {
  let timer = 0;
  const end = () => clearTimeout(timer);
  const start = () => {
    end();
    timer = setTimeout(say, PATIENCE);
  };
  return { start, end };
}
