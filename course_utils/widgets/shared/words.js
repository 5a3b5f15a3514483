// The words of the views in the reader's language. Where that is not English, Python puts `courseWords`, an object from
// each English text to its translation, in front of the scripts.

const catalogue = typeof courseWords === "undefined" ? {} : courseWords;

// Return a text in the reader's language, or in English where it has no translation. places: from the name of each
// {place} in the text to what stands there.
export function say(template, places = {}) {
  return (catalogue[template] ?? template).replace(/\{(\w+)\}/g, (place, name) => places[name] ?? place);
}

const AXES = new Map([
  ["layer", say("layer")],
  ["sample", say("sample")],
  ["step", say("step")],
]);

// Return the name of an axis of weights: "layer", "sample", "step", or another that the caller has chosen.
export const axisName = (axis) => AXES.get(axis) ?? axis;
