// Text: the page brings the sentences in the reader's language, the scripts fill in what stands in {braces}.

export function fill(sentence, values = {}) {
  return sentence.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

/** Make an element with a class and text. Text is never read as markup: bots write parts of it. */
export function element(tag, className = "", text = "") {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== "") made.textContent = text;
  return made;
}

/** A number as the reader writes it, with a true minus sign. */
export function number(value, digits = 0) {
  const text = value.toLocaleString(document.documentElement.lang || undefined, { maximumFractionDigits: digits });
  return text.replace("-", "−");
}
