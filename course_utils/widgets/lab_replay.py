"""The JavaScript with which an exported AttentionLab answers in place of the kernel."""

# JavaScript for an exported page: it answers each message of the view from stored results, as the kernel would.
REPLAY = """
const stored = bytes(%(data)s), frames = {}, start = %(start)s, note = document.createElement("p");
note.textContent = %(note)s;
host.before(note);
for (const frame of %(frames)s) frames[Object.values(frame.settings)] = frame;
let answered, tokens = state.answer.tokens;
state.controls = %(controls)s;
state.answer.settings = start;
model.on = (name, callback) => { if (name === "change:answer") answered = callback; };
model.send = ({ rev, settings }) => {
  // Where not every combination is stored, what was moved last is shown, and the rest goes back to the start.
  const now = state.answer.settings, moved = {};
  for (const name in start) moved[name] = settings[name] === now[name] ? start[name] : settings[name];
  const frame = frames[Object.values(settings)] ?? frames[Object.values(moved)];
  if (frame.tokens) {
    state.query = modules["lab.js"].placeOfWord(tokens, state.query, frame.tokens);
    tokens = frame.tokens;
  }
  state.answer = { ...frame, rev };
  if (frame.shape.length) state.weights = new DataView(stored.buffer, frame.at, frame.shape.reduce((a, b) => a * b));
  answered();
};
"""
