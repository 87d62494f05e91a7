// Text: the page brings translated sentences, and the scripts fill in the {braces}.

export function fill(sentence, values = {}) {
  return sentence.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

/** Make an element with a class and text. The text is never parsed as HTML: bots write parts of it. */
export function element(tag, className = "", text = "") {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== "") made.textContent = text;
  return made;
}

/** Format a number in the reader's language, with a typographic minus. */
export function number(value, digits = 0) {
  const text = value.toLocaleString(document.documentElement.lang || undefined, { maximumFractionDigits: digits });
  return text.replace("-", "−");
}
