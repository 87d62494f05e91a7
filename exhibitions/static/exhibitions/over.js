// The page of a table that is over: the form for going on from a turn follows the turn that the viewer shows.

const turn = document.querySelector("[data-table='turn']");
const shown = document.querySelector("[data-viewer='turn']");
const seek = document.querySelector("[data-viewer='seek']");

if (turn && shown) {
  const follow = () => (turn.value = Math.max(seek.valueAsNumber, 1));
  new MutationObserver(follow).observe(shown, { childList: true });
}
