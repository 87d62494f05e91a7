// The board as a table of words, for screen readers and whoever likes to read it; built only while it is open.

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
    const { width, height } = this.setting;
    const head = element("tr");
    head.append(element("td"), ...numbers(width).map((x) => header("col", x)));
    const rows = numbers(height).map((y) => {
      const row = element("tr");
      const cells = numbers(width).map((x) => element("td", "", this.game.cellText(this.setting, frame, { x, y }, this.words)));
      row.append(header("row", y), ...cells);
      return row;
    });
    this.table.tBodies[0].replaceChildren(head, ...rows);
  }
}

const numbers = (count) => Array.from({ length: count }, (_, i) => i);

function header(scope, text) {
  const cell = element("th", "", text);
  cell.scope = scope;
  return cell;
}
