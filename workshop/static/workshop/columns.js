// Finds the place in a line that a compiler means by a column: compilers count columns in different ways.

const GCC = /\.(?:c|h|cpp|hpp|cc|cxx)$/;
const TAB_STOP = 8;
const NARROW = /[\uff61-\uffdc]/;
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]/u;
const WITHOUT_WIDTH = /[\p{Mn}\p{Me}\p{Cf}]/u;

/**
 * Return the index in a line of a column, counted from 1.
 *
 * @param {string} path of the source file, whose ending tells the compiler
 */
export function indexOfColumn(column, text, path) {
  let at = 1;
  let index = 0;
  for (const sign of text) {
    if (at >= column) break;
    at += widthOf(sign, at, path);
    index += sign.length;
  }
  return index;
}

/** Return how many columns a sign takes for the compiler, if the sign begins in column `at`. */
function widthOf(sign, at, path) {
  if (GCC.test(path)) { // as a terminal shows them
    if (sign === "\t") return TAB_STOP - ((at - 1) % TAB_STOP);
    if (WITHOUT_WIDTH.test(sign)) return 0;
    return WIDE.test(sign) && !NARROW.test(sign) ? 2 : 1;
  }
  if (path.endsWith(".go")) return new TextEncoder().encode(sign).length;
  return path.endsWith(".rs") ? 1 : sign.length;
}
