// The graph over the turns: a line for each seat, a cursor at the turn that is shown, a click to go to a turn. Drawn
// by uPlot.
/* global uPlot -- its script stands before this one on the page */

import { readTheme } from "./seats.js";
import { number } from "./words.js";

/** Lines differ by their dashes as well as by colour. */
const DASHES = [[], [8, 4], [2, 3], [10, 3, 2, 3]];

export class Graph {
  /**
   * @param {HTMLElement} place
   * @param {{series: number[][], limit?: {values: number[], least: number, text: string}}} shown series: values by seat
   *   and turn, null where there is none; limit: a thin line by turn, labelled at its least value, which is always
   *   within the graph's range
   * @param {string} letters by seat
   * @param {(turn: number) => void} seek called with the turn that was clicked
   * @param {AbortSignal} [signal] aborted when the graph is taken off the page
   */
  constructor(place, shown, letters, seek, signal) {
    Object.assign(this, { place, ...shown, letters, seek, turn: 0 });
    this.cursor = Object.assign(document.createElement("div"), { className: "viewer-graph-now" });
    this.#build();
    const observer = new ResizeObserver(() => this.#resize());
    observer.observe(place);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#build(), { signal });
    signal?.addEventListener("abort", () => observer.disconnect());
  }

  show({ series, limit }) {
    Object.assign(this, { series, limit });
    this.plot.setData(this.#data());
  }

  moveTo(turn) {
    this.turn = turn;
    this.cursor.style.transform = `translateX(${this.plot.valToPos(turn, "x")}px)`;
  }

  #data() {
    const turns = this.series[0].map((_, turn) => turn);
    return [turns, ...this.series, this.limit ? this.limit.values : turns.map(() => null)];
  }

  #build() {
    this.plot?.destroy();
    const theme = readTheme(this.place);
    const axis = {
      stroke: theme.ink,
      grid: { stroke: theme.line, width: 1 },
      ticks: { show: false },
      values: (_, places) => places.map((place) => number(place, 2)),
    };
    const options = {
      width: this.place.clientWidth,
      height: this.place.clientHeight,
      legend: { show: false },
      scales: { x: { time: false }, y: { range: (_, least, most) => this.#range(least, most) } },
      cursor: { y: false, points: { show: false }, drag: { setScale: false, x: false, y: false } },
      axes: [{ ...axis, size: 28 }, { ...axis, size: 46 }],
      series: [{}, ...this.series.map((_, seat) => ({
        label: this.letters[seat],
        stroke: theme.seats[seat].line,
        dash: DASHES[seat],
        width: 2,
        points: { show: false },
        spanGaps: true, // else seats that move alternately have no lines
      })), {
        stroke: theme.ink,
        width: 1,
        paths: uPlot.paths.stepped({ align: -1 }),
        points: { show: false },
        spanGaps: true,
        auto: false,
      }],
      padding: [10, 20, 0, 0],
      hooks: { draw: [(plot) => this.#drawn(plot, theme)] },
    };
    this.plot = new uPlot(options, this.#data(), this.place);
    this.plot.over.append(this.cursor);
    this.plot.over.addEventListener("click", () => this.seek(this.plot.cursor.idx));
  }

  /** Draw letters, limit and cursor after uPlot has drawn: it knows its scales only then. */
  #drawn(plot, theme) {
    this.plot = plot;
    this.#drawLetters(plot, theme);
    if (this.limit) this.#nameLimit(plot, theme);
    this.moveTo(this.turn);
  }

  /** Write each seat's letter beyond the end of its line, without overlaps. */
  #drawLetters(plot, theme) {
    const { ctx } = plot;
    const size = 12 * devicePixelRatio;
    ctx.save();
    ctx.font = `700 ${Math.round(size)}px ${theme.font}`;
    ctx.textAlign = "left";
    ctx.textBaseline = "middle";
    let below = Infinity;
    for (const { seat, y } of this.#lineEnds(plot).sort((a, b) => b.y - a.y)) {
      below = Math.min(y, below - size);
      ctx.fillStyle = theme.seats[seat].line;
      ctx.fillText(this.letters[seat], plot.bbox.left + plot.bbox.width + size / 3, below);
    }
    ctx.restore();
  }

  #nameLimit(plot, theme) {
    const { ctx, bbox } = plot;
    const size = 11 * devicePixelRatio;
    ctx.save();
    ctx.font = `${Math.round(size)}px ${theme.font}`;
    ctx.textAlign = "right";
    ctx.textBaseline = "bottom";
    ctx.fillStyle = theme.ink;
    const right = bbox.left + bbox.width - size / 3;
    ctx.fillText(this.limit.text, right, plot.valToPos(this.limit.least, "y", true) - size / 6);
    ctx.restore();
  }

  /** Return the range of the y axis: as uPlot chooses it, but with the limit in it. */
  #range(least, most) {
    if (least === null) return [null, null];
    const pad = { pad: 0.1, soft: 0, mode: 3 };
    return uPlot.rangeNum(least, Math.max(most, this.limit?.least ?? most), { min: pad, max: pad });
  }

  #lineEnds(plot) {
    const ends = this.series.map((values, seat) => ({ seat, value: values.findLast((value) => value !== null) }));
    return ends
      .filter(({ value }) => value !== undefined)
      .map(({ seat, value }) => ({ seat, y: plot.valToPos(value, "y", true) }));
  }

  #resize() {
    const width = this.place.clientWidth;
    if (!width || width === this.plot.width) return;
    this.plot.setSize({ width, height: this.place.clientHeight });
  }
}
