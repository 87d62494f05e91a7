// Translates the English sentences of replays into the reader's language. The page brings each sentence as a pattern
// with {places}, and its translation (`common/words/sentences.py`, which does the same for pages).

import { fill, number } from "./words.js";

/** Places that hold sentences or phrases which are patterns themselves. */
const NESTED = ["sentence", "what"];

/**
 * Make the function that translates a sentence; one that matches no pattern stays as it is.
 *
 * @param {{sentences: [string, string][], counted: Object<string, Object<string, string>>}} page pairs of pattern and
 *   translation; and for each noun its translated forms with {count}, by the category of Intl.PluralRules
 * @returns {(text: string) => string}
 */
export function makeTranslate({ sentences, counted }) {
  const rules = new Intl.PluralRules(document.documentElement.lang || undefined);
  const patterns = sentences.map(([english, translated]) => [matcher(english, counted), translated]);

  function translate(text) {
    for (const [pattern, translated] of patterns) {
      const match = pattern.exec(text);
      if (match) return fill(translated, parts(match.groups ?? {}));
    }
    return text;
  }

  function parts(found) {
    return Object.fromEntries(Object.entries(found).map(([name, part]) => [name, translatePart(name, part)]));
  }

  function translatePart(name, part) {
    if (NESTED.includes(name)) return translate(part);
    if (!(name in counted)) return readNumber(part) ?? part;
    const count = Number(part.split(" ")[0].replaceAll(",", ""));
    return fill(counted[name][rules.select(count)], { count: number(count) });
  }

  return translate;
}

function matcher(english, counted) {
  const pieces = english.split(/\{(\w+)\}/).map((piece, i) => {
    if (i % 2 === 0) return piece.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    return `(?<${piece}>${piece in counted ? `[\\d,]+ ${piece}?` : ".+?"})`;
  });
  return new RegExp(`^${pieces.join("")}$`, "s");
}

/** Convert a number with English thousands separators to the reader's notation; null if the text is none. */
function readNumber(text) {
  return /^\d{1,3}(,\d{3})+$/.test(text) ? number(Number(text.replaceAll(",", ""))) : null;
}
