// The answer as text, for everybody who cannot use the board: a field for each line, with the legal texts as suggestions.

import { element } from "../matches/viewer/words.js";

export class Typed {
  /**
   * @param {HTMLDetailsElement} details
   * @param {object} words of the page
   * @param {(lines: string[]) => void} send
   */
  constructor(details, words, send) {
    Object.assign(this, { details, words });
    this.form = details.querySelector("form");
    this.asked = details.querySelector("pre");
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      send([...this.form.querySelectorAll("input")].map(({ value }) => value.trim()));
    });
  }

  /** Offer fields for a question. The focus stays in a field of the same line. */
  ask({ lines, offered, answer_lines: count }) {
    this.asked.textContent = lines.join("\n");
    const focused = [...this.form.querySelectorAll("input")].indexOf(document.activeElement);
    const fields = Array.from({ length: count }, (_, line) => this.#field(line, offered[line] ?? []));
    const button = element("button", "", this.words.send);
    this.form.replaceChildren(...fields, button);
    if (focused >= 0) this.form.querySelectorAll("input")[Math.min(focused, count - 1)].focus();
  }

  rest() {
    this.form.querySelector("button")?.setAttribute("disabled", "");
  }

  #field(line, texts) {
    const label = element("label", "", this.words.line.replace("{line}", line + 1));
    const input = element("input");
    const list = element("datalist");
    list.id = `table-line-${line}`;
    list.append(...texts.map((text) => new Option(text, text)));
    Object.assign(input, { type: "text", required: true, autocomplete: "off", spellcheck: false });
    input.setAttribute("list", list.id);
    label.append(input, list);
    return label;
  }
}
