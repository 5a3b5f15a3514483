// The requests of a Writer to its kernel: one token at a time.

import { attempt, patience } from "./patience.js";

export class Requests {
  // model: as anywidget gives it. tell(words): called if no answer comes in time.
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
