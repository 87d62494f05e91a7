// The board as a table of words, for screen readers and everybody who likes to read it; built only while it is open.

import { element } from "./words.js";

export class TextBoard {
  constructor(details, setting, game, words) {
    Object.assign(this, { details, setting, game, words });
    this.table = details.querySelector("table");
    details.addEventListener("toggle", () => this.show(this.frame));
  }

  show(frame) {
    this.frame = frame;
    if (!this.details.open) return;
    const { columns, rows } = this.game.grid(this.setting, this.frame);
    const head = element("tr");
    head.append(element("td"), ...numbers(columns).map((x) => header("col", x)));
    this.table.tBodies[0].replaceChildren(head, ...numbers(rows).map((y) => this.#row(y, columns)));
  }

  #row(y, columns) {
    const row = element("tr");
    const text = (x) => this.game.cellText(this.setting, this.frame, { x, y }, this.words);
    row.append(header("row", y), ...numbers(columns).map((x) => element("td", "", text(x))));
    return row;
  }
}

const numbers = (count) => Array.from({ length: count }, (_, i) => i);

function header(scope, text) {
  const cell = element("th", "", text);
  cell.scope = scope;
  return cell;
}
