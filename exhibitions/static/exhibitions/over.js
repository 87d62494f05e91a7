// The page of a table that is over: the form for going on from a turn follows the turn that the viewer shows.

import { turnField } from "./turn_field.js";

const turn = document.querySelector("[data-table='turn']");
const shown = document.querySelector("[data-viewer='turn']");
const seek = document.querySelector("[data-viewer='seek']");

if (turn && shown) {
  const follow = turnField(turn);
  new MutationObserver(() => follow(seek.valueAsNumber)).observe(shown, { childList: true });
}
