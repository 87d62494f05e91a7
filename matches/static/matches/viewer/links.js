// The link to a turn (`#t=17`), and the address, which is kept at the turn that is shown.

/** So long a turn is shown before the address names it: Safari refuses more than a hundred addresses in ten seconds. */
const REST_MS = 200;

/** The turn a link names, or null. */
export function turnOfLink(hash) {
  const found = /^#t=(\d{1,6})$/.exec(hash);
  return found ? Number(found[1]) : null;
}

/** The whole link to a turn of the match on this page. */
export function linkToTurn(turn) {
  return new URL(`#t=${turn}`, location.href).href;
}

/** Have the address name the turn of a player wherever it rests. */
export function keepAddress(player) {
  let resting;
  const write = () => {
    if (turnOfLink(location.hash) !== player.turn) history.replaceState(null, "", linkToTurn(player.turn));
  };
  const rest = () => {
    clearTimeout(resting);
    if (!player.playing) resting = setTimeout(write, REST_MS);
  };
  player.addEventListener("turn", rest);
  player.addEventListener("state", rest);
}
