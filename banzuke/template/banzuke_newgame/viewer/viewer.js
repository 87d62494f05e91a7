// How the game is drawn. Without this file, spectators see the `rows` of each frame as a text board. This one is the
// text board, too, but for `drawMoving`. A function that you write here takes the place of the text board's:
// score(frame, seat), parts(frame, seat), shape(setting, frames), grid(setting, frame), cellAt(setting, column, row,
// frame), cellText(setting, frame, cell), drawStill and drawMoving(context, geometry, theme, scene).

import { ease, makePen } from "../../matches/viewer/cells.js";

export * from "../../matches/viewer/textgame.js";

/** The sign of each kind of event in the commentary. */
export const symbols = { clash: "○", stuck: "◇" };

/** Paint what moves between two frames, over what drawStill has painted: claimed cells shrink into their place. */
export function drawMoving(context, geometry, theme, { before, after, progress, letters }) {
  const { cell, corner } = makePen(context, geometry, theme);
  const side = cell * (1 - ease(progress));
  after.rows.forEach((row, y) => [...row].forEach((sign, x) => {
    const seat = letters.indexOf(sign);
    if (before.rows[y][x] === sign || seat < 0) return;
    context.fillStyle = theme.seats[seat].wall;
    context.fillRect(corner + x * cell + (cell - side) / 2, corner + y * cell + (cell - side) / 2, side, side);
  }));
}
