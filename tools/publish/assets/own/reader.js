// The model in a page: its weights, which come in scripts beside the page, and the worker that runs it.

const MOST = 64; // tokens of a sentence, with [CLS] and [SEP]: more arcs than these cannot be told apart

const { say } = courseViews["words.js"];

export class LoadError extends Error {}

export class Reader {
  // sizes: from the name of each script to its bytes, in the order in which to load them. source: the worker's code.
  // onProgress(loaded, needed): called with bytes while scripts load. folder: the address of the scripts' folder.
  // Errors: whatever the browser throws where it lets no page have a worker.
  constructor(sizes, source, onProgress, folder) {
    Object.assign(this, { sizes, onProgress, folder, loaded: new Set(), waiting: new Map(), last: 0 });
    const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    this.worker = new Worker(address);
    this.worker.onmessage = ({ data }) => this.hear(data);
    this.worker.onerror = () => this.waiting.forEach(({ reject }) => reject(new Error(say("the worker stopped"))));
    window.takeWeights = (...take) => {
      this.loaded.add(take[0]);
      this.worker.postMessage({ take });
    };
  }

  hear({ number, error, ...answer }) {
    const { resolve, reject } = this.waiting.get(number);
    this.waiting.delete(number);
    if (error) reject(new Error(error));
    else resolve(answer);
  }

  ask(message) {
    this.last += 1;
    const number = this.last;
    return new Promise((resolve, reject) => {
      this.waiting.set(number, { resolve, reject });
      this.worker.postMessage({ ...message, number });
    });
  }

  // Return the names of the scripts that a sentence needs. ids: its tokens' numbers; by default the commonest words.
  needed(ids = [0]) {
    const names = Object.keys(this.sizes);
    const firsts = names.filter((name) => name.startsWith("vectors.")).map((name) => Number(name.split(".")[1]));
    const parts = ids.map((id) => `vectors.${Math.max(...firsts.filter((first) => first <= id))}`);
    return names.filter((name) => !name.startsWith("vectors.") || parts.includes(name));
  }

  bytes(names) {
    return names.reduce((total, name) => total + this.sizes[name], 0);
  }

  // Load scripts, one after the other, unless they are here. Calls that overlap take turns.
  // Errors: LoadError for the first that does not come; those before it stay, and another call goes on from there.
  load(names) {
    const turn = (this.turn ?? Promise.resolve()).catch(() => {}).then(() => this.loadNow(names));
    this.turn = turn;
    return turn;
  }

  async loadNow(names) {
    for (const name of names) {
      if (!this.loaded.has(name)) await this.loadScript(name);
      this.onProgress(this.bytes(names.filter((one) => this.loaded.has(one))), this.bytes(names));
    }
  }

  loadScript(name) {
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      const done = () => {
        script.remove();
        if (this.loaded.has(name)) resolve();
        else reject(new LoadError(name)); // it did not come, or not whole
      };
      script.onload = done;
      script.onerror = done;
      script.src = `${this.folder}${name}.js`;
      document.head.append(script);
    });
  }

  // Read a sentence. Returns { tokens, count, hidden, layers, milliseconds }, as encoder_worker.js has them.
  // Errors: LoadError if weights did not come; Error if the model could not read it.
  async read(text) {
    await this.load(["words"]);
    const { tokens, ids, count } = await this.ask({ cut: text, most: MOST });
    if (tokens.length < 3) return { tokens, count };
    await this.load(this.needed(ids));
    const { askers, ...result } = await this.ask({ read: ids });
    this.askers ??= askers;
    return { tokens, count, ...result };
  }
}
