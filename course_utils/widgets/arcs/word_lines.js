// The layout of a sentence: letters as large as fits on one line, or, if they would be too small, several lines.

const SIZE = { least: 13.5, wrapped: 16, most: 26 }; // font sizes in px
const ROOM = { share: 0.11, least: 40, most: 120, wrapped: 34 }; // above a line: a share of the width, and limits in px

// Lay out the words. text: the element around them. lines: objects with words, a list of elements; each gets places,
// the positions of its words as arc() takes them. Returns the room above a line, in px.
export function laidOut(text, lines) {
  const width = text.clientWidth;
  const set = (size, room, isWrapped) => {
    text.style.cssText = `--size:${size}px;--room:${room}px;--wrap:${isWrapped ? "wrap" : "nowrap"}`;
  };
  const fitting = (size) => {
    set(size, 0, false);
    const natural = Math.max(...lines.map(({ words }) => words.at(-1).offsetLeft + words.at(-1).offsetWidth));
    return Math.min(SIZE.most, Math.floor(((size * width) / natural) * 10) / 10);
  };
  const about = fitting(SIZE.wrapped);
  const size = Math.min(about, fitting(about)); // where letters grow in steps, as in Safari, `about` may be too large
  const isWrapped = size < SIZE.least;
  const room = isWrapped ? ROOM.wrapped : Math.min(ROOM.most, Math.max(ROOM.least, ROOM.share * width));
  set(isWrapped ? SIZE.wrapped : size, room, isWrapped);
  const places = placesOf(lines.flatMap(({ words }) => words));
  for (const line of lines) line.places = places.splice(0, line.words.length);
  return room;
}

// Return the positions of words, elements that stand in lines, as arc() takes them.
export function placesOf(words) {
  const tops = [...new Set(words.map((word) => word.offsetTop))];
  return words.map((word) => placeOf(word, tops));
}

function placeOf({ offsetLeft, offsetTop, offsetWidth, offsetHeight }, tops) {
  const [x, line] = [offsetLeft + offsetWidth / 2, tops.indexOf(offsetTop)];
  return { x, top: offsetTop, bottom: offsetTop + offsetHeight, line };
}

// Return the index of the nearest word in the line above (down: -1) or below (1), or i if there is no such line.
export function wordBeside(places, i, down) {
  const distance = (j) => Math.abs(places[j].x - places[i].x);
  const there = places.map((_, j) => j).filter((j) => places[j].line === places[i].line + down);
  return there.length ? there.reduce((best, j) => (distance(j) < distance(best) ? j : best)) : i;
}
