// The requests of a Writer to its kernel: one token at a time.

import { NO_ANSWER, patience } from "./patience.js";
import { say } from "./words.js";

export class Requests {
  // model: as anywidget gives it. tell(words): called if no answer comes in time.
  constructor(model, tell) {
    this.model = model;
    this.id = 0; // of the request that has no answer yet, or 0
    this.waiting = patience(() => tell(say("{reason}.", { reason: NO_ANSWER })));
  }

  get isOpen() {
    return this.id !== 0;
  }

  ask(content) {
    this.id = Math.random();
    this.waiting.start();
    this.send({ rev: this.id, ...content });
  }

  send(message) {
    try {
      this.model.send(message);
    } catch {
      // JupyterLab throws an error if the kernel is gone. No answer comes then, and the view says so after a while.
    }
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
