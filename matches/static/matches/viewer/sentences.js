// The English sentences of replays in the reader's language: the page brings each as a pattern with {places}, and its
// translation (`common/words/sentences.py`, where the same is done for pages).

import { fill, number } from "./words.js";

/** Places whose parts are sentences or phrases of the list themselves. */
const NESTED = ["sentence", "what"];

/**
 * Make the function that tells a sentence; one that matches no pattern it tells as it is.
 *
 * @param {{sentences: [string, string][], counted: Object<string, Object<string, string>>}} page pairs of pattern and
 *   translation; by noun, its forms with {count}, by the names that Intl.PluralRules gives them
 * @returns {(text: string) => string}
 */
export function makeTell({ sentences, counted }) {
  const rules = new Intl.PluralRules(document.documentElement.lang || undefined);
  const patterns = sentences.map(([english, translated]) => [matcher(english, counted), translated]);

  function tell(text) {
    for (const [pattern, translated] of patterns) {
      const match = pattern.exec(text);
      if (match) return fill(translated, parts(match.groups ?? {}));
    }
    return text;
  }

  function parts(found) {
    return Object.fromEntries(Object.entries(found).map(([name, part]) => [name, told(name, part)]));
  }

  function told(name, part) {
    if (NESTED.includes(name)) return tell(part);
    if (!(name in counted)) return readNumber(part) ?? part;
    const count = Number(part.split(" ")[0].replaceAll(",", ""));
    return fill(counted[name][rules.select(count)], { count: number(count) });
  }

  return tell;
}

function matcher(english, counted) {
  const pieces = english.split(/\{(\w+)\}/).map((piece, i) => {
    if (i % 2 === 0) return piece.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    return `(?<${piece}>${piece in counted ? `[\\d,]+ ${piece}?` : ".+?"})`;
  });
  return new RegExp(`^${pieces.join("")}$`, "s");
}

/** A number with its thousands parted as English does it, as the reader writes it; null if it is none. */
function readNumber(text) {
  return /^\d{1,3}(,\d{3})+$/.test(text) ? number(Number(text.replaceAll(",", ""))) : null;
}
