// Requests to the kernel, with a timeout after which a view tells the reader that the kernel is busy or gone.

import { say } from "./words.js";

const PATIENCE = 4000; // ms
export const NO_ANSWER = say(
  "No answer yet: the kernel is busy, or it is not running. If nothing comes, run this cell again",
);

// Call a function that sends something to the kernel. JupyterLab throws an error if the kernel is gone. No answer comes
// then, and the view says so after a while.
function attempt(send) {
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

// Messages to a view's Python object, of which one at a time waits for its answer, a message with the same `rev`.
export class Requests {
  // model: as anywidget gives it. tell(words): as for `patience`.
  constructor(model, tell) {
    this.model = model;
    this.id = 0; // of the request that has no answer yet, or 0
    this.waiting = patience(tell);
  }

  get isOpen() {
    return this.id !== 0;
  }

  ask(content) {
    this.id = Math.random();
    this.waiting.ask(() => this.model.send({ rev: this.id, ...content }));
  }

  // Send a message that gets no answer.
  send(message) {
    attempt(() => this.model.send(message));
  }

  // Return whether a message answers the open request, and close the request if it does.
  isAnsweredBy({ rev }) {
    if (rev !== this.id) return false;
    this.end();
    return true;
  }

  end() {
    this.id = 0;
    this.waiting.end();
  }
}
