// The board's canvas: as large as its place and the window allow, sharp at every device pixel ratio, drawn again when
// size or theme change.

import { readTheme } from "./seats.js";

/** The least height of the board, even if less of the window is left for it. */
const HEIGHT_PX_MIN = 200;
/** Space between the elements that must be visible together with the board and the lower edge of the window. */
const MARGIN_PX = 12;

export class Board {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {{columns: number, rows: number}} shape of the board in cells, rulers included
   * @param {object} game the game's module; `drawStill` paints what a step does not move, `drawMoving` the rest over it
   * @param {() => object} scene returns the step that is shown now
   * @param {HTMLElement[]} together elements that must fit into the window with the board: play button and scores
   * @param {AbortSignal} [signal] aborted when the board is taken off the page
   */
  constructor(canvas, shape, game, scene, together, signal) {
    Object.assign(this, { canvas, shape, game, scene, together, context: canvas.getContext("2d", { alpha: false }) });
    this.still = document.createElement("canvas");
    /** Draws over the board, as (context, geometry, theme, scene): what the player of a table may choose. */
    this.over = null;
    const observer = new ResizeObserver(() => this.fit());
    for (const each of [canvas.parentElement, ...together]) observer.observe(each);
    addEventListener("resize", () => this.fit(), { signal }); // a window that becomes lower changes the size of no element
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#redraw(), { signal });
    signal?.addEventListener("abort", () => observer.disconnect());
  }

  /** Paint the present scene. The still part is painted once a turn, so that steps are smooth on big boards. */
  draw() {
    if (!this.cell) return;
    const scene = this.scene();
    const geometry = { cell: this.cell };
    if (this.stillOf !== scene.after) {
      this.game.drawStill(this.still.getContext("2d", { alpha: false }), geometry, this.theme, scene);
      this.stillOf = scene.after;
    }
    this.context.drawImage(this.still, 0, 0);
    this.game.drawMoving(this.context, geometry, this.theme, scene);
    this.over?.(this.context, geometry, this.theme, scene);
  }

  /** Return the place of a pointer event as [column, row], in cells (with fractions) from the canvas's corner. */
  placeAt(event) {
    const box = this.canvas.getBoundingClientRect();
    const scale = this.canvas.width / box.width / this.cell;
    return [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
  }

  /** Set the size of the board; a cell gets a whole number of device pixels, so that lines and letters are sharp. */
  fit() {
    const ratio = window.devicePixelRatio || 1;
    const { columns, rows } = this.shape;
    const width = this.canvas.parentElement.clientWidth;
    const height = Math.max(HEIGHT_PX_MIN, window.innerHeight - this.#around());
    const cell = Math.max(4, Math.floor(Math.min(width / columns, height / rows) * ratio));
    if (cell === this.cell && ratio === this.ratio) return;
    Object.assign(this, { cell, ratio });
    this.canvas.width = this.still.width = cell * columns;
    this.canvas.height = this.still.height = cell * rows;
    this.canvas.style.width = `${this.canvas.width / ratio}px`;
    this.canvas.style.height = `${this.canvas.height / ratio}px`;
    this.#redraw();
  }

  /** Return how many pixels of the window's height are taken above the board, and below it by `together`. */
  #around() {
    const place = this.canvas.parentElement.getBoundingClientRect();
    let [end, heights] = [place.bottom, 0];
    for (const each of this.together) {
      const box = each.getBoundingClientRect();
      if (!each.checkVisibility() || box.right <= place.left || box.left >= place.right) continue;
      const { position, minHeight } = getComputedStyle(each);
      // A sticky element may be away from its place; one with a least height takes what the board leaves.
      if (position === "sticky") heights += parseFloat(minHeight) || each.offsetHeight;
      else if (box.top >= place.bottom) end = Math.max(end, box.bottom);
    }
    const scrolled = document.fullscreenElement?.scrollTop ?? window.scrollY;
    return end + scrolled - place.height + heights + MARGIN_PX;
  }

  #redraw() {
    this.theme = readTheme(this.canvas);
    this.stillOf = null;
    this.draw();
  }
}
