// How fast a table of Puyo Puyo goes, as its player has chosen.

/** How fast pairs fall (rows a second), how long they lie loose, and how long a step of a chain is shown, in seconds. */
export const PACES = {
  slow: { rows: 1.1, lock: 1, step: 1.3 },
  normal: { rows: 2.4, lock: 0.6, step: 0.9 },
  fast: { rows: 6, lock: 0.45, step: 0.55 },
};
const PACE = "puyo-pace";
/** The seconds of a step of the screen. */
export const FRAME = 1 / 60;

export function readPace() {
  try {
    const kept = localStorage.getItem(PACE);
    return kept in PACES ? kept : "normal";
  } catch {
    return "normal";
  }
}

export function keepPace(name) {
  try {
    localStorage.setItem(PACE, name);
  } catch {
    // The reader's browser keeps nothing: the pace is that of this table.
  }
}
