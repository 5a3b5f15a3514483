// The tokenizer of all-MiniLM-L6-v2: it cuts a text into words, and each word into the longest pieces that its table of
// words has. Nothing here knows of a page.

const [UNKNOWN, START, END] = ["[UNK]", "[CLS]", "[SEP]"];
const SPECIAL = /(\[(?:PAD|UNK|CLS|SEP|MASK)\])/; // a text may name the model's own tokens
const LONGEST = 100; // a longer word is unknown
const SPACE = /[\t\n\r\p{Z}]/u;
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\ufffd]/u; // control characters and the like, which are left out
const ACCENT = /\p{Mn}/gu;
const PUNCTUATION = /[!-/:-@[-`{-~]|\p{P}/u;

// The characters that Chinese, Japanese and Korean share: each is a word. (2b920 is where the model's own tokenizer
// begins the range.)
const IDEOGRAPH = /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]/u;
const RARE_IDEOGRAPH = /[\u{20000}-\u{2a6df}\u{2a700}-\u{2b81f}\u{2b920}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/u;
const isIdeograph = (character) => IDEOGRAPH.test(character) || RARE_IDEOGRAPH.test(character);

export class WordPiece {
  // words: the tokens of the vocabulary, in the order of their numbers. A piece inside a word begins with ##.
  constructor(words) {
    this.words = words;
    this.ids = new Map(words.map((word, id) => [word, id]));
  }

  // Return the tokens of a text as { tokens, ids }, arrays of one length, with [CLS] and [SEP] around them.
  encode(text) {
    const tokens = [START, ...text.split(SPECIAL).flatMap((part) => this.tokensOf(part)), END];
    return { tokens, ids: tokens.map((token) => this.ids.get(token)) };
  }

  tokensOf(part) {
    return SPECIAL.test(part) ? [part] : wordsOf(normal(part)).flatMap((word) => this.pieces(word));
  }

  // Return the pieces of a word: the longest that the vocabulary has, then the longest of the rest, and so on.
  pieces(word) {
    const characters = [...word];
    if (characters.length > LONGEST) return [UNKNOWN];
    const found = [];
    for (let start = 0, end = characters.length; start < characters.length; end = characters.length) {
      const piece = () => (start ? "##" : "") + characters.slice(start, end).join("");
      while (end > start && !this.ids.has(piece())) end -= 1;
      if (end === start) return [UNKNOWN];
      found.push(piece());
      start = end;
    }
    return found;
  }
}

// Return a text in small letters, without accents and invisible characters, and with spaces around ideographs.
export function normal(text) {
  const cleaned = Array.from(text, (character) => {
    if (SPACE.test(character)) return " ";
    if (INVISIBLE.test(character)) return "";
    return isIdeograph(character) ? ` ${character} ` : character;
  }).join("");
  // One character at a time, since a Greek word would otherwise get another letter at its end.
  return Array.from(cleaned.normalize("NFD").replace(ACCENT, ""), (character) => character.toLowerCase()).join("");
}

// Return the words of a normal text; each punctuation mark is a word.
export function wordsOf(text) {
  const spaced = Array.from(text, (character) => (PUNCTUATION.test(character) ? ` ${character} ` : character));
  return spaced.join("").split(/\p{White_Space}+/u).filter(Boolean);
}
