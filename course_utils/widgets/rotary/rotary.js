// RotaryClock: a query and a key that are rotated by their positions, pair by pair, and their score.
// Python draws the circles and the curve; this script rotates the arrows, and updates bars, marks and numbers.

import { checkbox, make, slider } from "../shared/elements.js";
import { clamp, rounded, sum } from "../shared/numbers.js";
import { heightLeft, isBeside, watchRoom } from "../shared/room.js";
import { following, guarded } from "../shared/view.js";
import { say } from "../shared/words.js";

const LEAST = 565; // px: the width of the picture at which its letters are still legible
const MIDDLE = 80; // px: MIDDLE in rotary_picture.py
const TO_DEGREES = 180 / Math.PI;

const signed = (value) => rounded(value).replace(/^-0\.00$/, "0.00");

// Return the pairs of a vector after the rotation for a position, as [x, y].
export function turned(vector, speeds, place) {
  return speeds.map((speed, pair) => {
    const [x, y] = vector.slice(2 * pair, 2 * pair + 2);
    const [cos, sin] = [Math.cos(place * speed), Math.sin(place * speed)];
    return [x * cos - y * sin, x * sin + y * cos];
  });
}

// Return what each pair adds to the score.
export const sharesOf = (queries, keys) => queries.map(([x, y], pair) => x * keys[pair][0] + y * keys[pair][1]);

// Return both positions, [moved, other], after one was moved from `place` towards `to` and took the other along.
// Neither leaves the text, whose positions are 0 to `most`.
export function movedTogether(place, other, to, most) {
  const apart = other - place;
  const lowest = Math.max(0, -apart);
  const moved = lowest + clamp(to - lowest, most - Math.abs(apart) + 1);
  return [moved, moved + apart];
}

export function summary(queryPlace, keyPlace, score) {
  const apart = keyPlace - queryPlace;
  const places = { query: queryPlace, key: keyPlace, distance: Math.abs(apart), score: signed(score) };
  if (!apart) return say("Query at place {query}, key at place {key}, beside it: score {score}.", places);
  if (apart > 0) return say("Query at place {query}, key at place {key}, {distance} after it: score {score}.", places);
  return say("Query at place {query}, key at place {key}, {distance} before it: score {score}.", places);
}

const degrees = ([x, y]) => Math.atan2(y, x) * TO_DEGREES;

function turn(clock, query, key, share) {
  const find = (name) => clock.querySelector(`.av-${name}`);
  const point = (name, angle) => find(name).setAttribute("transform", `rotate(${-angle})`);
  const between = ((degrees(query) - degrees(key) + 540) % 360) - 180;
  point("query", degrees(query));
  point("key", degrees(key));
  point("between", degrees(between > 0 ? query : key));
  find("between").setAttribute("stroke-dasharray", `${Math.abs(between)} 360`);
  const bar = share * clock.dataset.bar;
  find("share").setAttribute("x", MIDDLE + Math.min(bar, 0));
  find("share").setAttribute("width", Math.abs(bar));
  find("number").textContent = signed(share);
  clock.setAttribute("aria-label", say("{name}: share {share}", { name: clock.dataset.name, share: signed(share) }));
}

function mark(curve, distance, score) {
  const { centre, step, zero, unit } = curve.dataset;
  const now = curve.querySelector(".av-now");
  now.setAttribute("transform", `translate(${Number(centre) + step * distance} 0)`);
  now.querySelector("circle").setAttribute("cy", zero - unit * score);
}

export const render = guarded((model, root) => {
  const [query, key, speeds, most] = ["query", "key", "speeds", "most_place"].map((name) => model.get(name));
  const status = make("p", { class: "av-status", role: "status" });
  const body = make("div", { class: "av-rotary" });
  body.innerHTML = model.get("html");
  const clocks = body.querySelectorAll(".av-clock");
  const curve = body.querySelector(".av-curve");

  const { set, leave } = following(model, draw);
  const move = (name, other) => (to) => {
    const places = [to, model.get(other)];
    const both = model.get("together") ? movedTogether(model.get(name), places[1], to, most) : places;
    set({ [name]: both[0], [other]: both[1] });
  };
  const pickers = {
    query_place: slider(say("place of the query"), most, String, move("query_place", "key_place")),
    key_place: slider(say("place of the key"), most, String, move("key_place", "query_place")),
  };
  const together = checkbox(say("move both together"), (isTogether) => set({ together: isTogether }));

  function draw() {
    const places = Object.keys(pickers).map((name) => model.get(name));
    Object.values(pickers).forEach(({ put }, i) => put(places[i]));
    together.put(model.get("together"));
    const [queries, keys] = [turned(query, speeds, places[0]), turned(key, speeds, places[1])];
    const shares = sharesOf(queries, keys);
    const score = sum(shares);
    clocks.forEach((clock, pair) => turn(clock, queries[pair], keys[pair], shares[pair]));
    mark(curve, places[1] - places[0], score);
    status.textContent = summary(...places, score);
  }

  // The picture is as wide as the height allows that JupyterLab's panel has left for it: its height follows its width.
  function fit() {
    root.classList.toggle("av-beside", isBeside(root));
    body.style.maxWidth = "";
    const left = heightLeft(body);
    if (left == null || body.offsetHeight <= left) return;
    body.style.maxWidth = `${Math.max(LEAST, Math.floor((body.offsetWidth * left) / body.offsetHeight))}px`;
  }

  draw();
  root.classList.add("av-of-rotary");
  root.append(make("div", { class: "av-bar" }, ...Object.values(pickers), together), status, body);
  const unwatch = watchRoom(root, fit);
  return () => {
    leave();
    unwatch();
  };
});
