// The board's canvas: as wide as its place, sharp on every screen, drawn anew when size or theme change.

import { readTheme } from "./seats.js";

export class Board {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {{columns: number, rows: number}} shape of the board in cells, rulers included
   * @param {(context, geometry, theme) => void} draw paints the whole board
   */
  constructor(canvas, shape, draw) {
    Object.assign(this, { canvas, shape, paint: draw, context: canvas.getContext("2d") });
    this.theme = readTheme(canvas);
    new ResizeObserver(() => this.fit()).observe(canvas.parentElement);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.repaintTheme());
  }

  repaintTheme() {
    this.theme = readTheme(this.canvas);
    this.draw();
  }

  draw() {
    if (this.cell) this.paint(this.context, { cell: this.cell }, this.theme);
  }

  /** Where a pointer event is, as [column, row] in cells (with fractions) from the canvas's corner. */
  placeAt(event) {
    const box = this.canvas.getBoundingClientRect();
    const scale = this.canvas.width / box.width / this.cell;
    return [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
  }

  /** Give a cell a whole number of device pixels: lines and letters stay sharp. */
  fit() {
    const ratio = window.devicePixelRatio || 1;
    const { columns, rows } = this.shape;
    const width = this.canvas.parentElement.clientWidth;
    const height = Math.max(320, window.innerHeight * 0.78);
    const cell = Math.max(4, Math.floor(Math.min(width / columns, height / rows) * ratio));
    if (cell === this.cell && ratio === this.ratio) return;
    Object.assign(this, { cell, ratio });
    this.canvas.width = cell * columns;
    this.canvas.height = cell * rows;
    this.canvas.style.width = `${this.canvas.width / ratio}px`;
    this.canvas.style.height = `${this.canvas.height / ratio}px`;
    this.draw();
  }
}
