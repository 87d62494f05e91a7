// Goes on to another match once one has been seen to its end: for screens that nobody sits at.

/** How long an end is shown, and how long to wait for a site that does not answer. */
const REST_MS = 8000;

/** Go on when a match has come to its end, unless its reader steps back or looks elsewhere. */
export function goOn(player, address) {
  let rest;
  const look = () => {
    clearTimeout(rest);
    const ended = !player.playing && !player.live && player.turn === player.last;
    if (ended && !document.hidden) rest = leaveSoon(address);
  };
  for (const name of ["state", "turn"]) player.addEventListener(name, look);
  document.addEventListener("visibilitychange", look);
  look();
}

/** Go to another match after a while. */
export function leaveSoon(address) {
  return setTimeout(() => leave(address), REST_MS);
}

/** Go there if the site says where: a page that cannot be loaded would be the last one. */
async function leave(address) {
  try {
    const answer = await fetch(address);
    if (answer.ok) return location.replace(answer.url);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // which browsers call it where there is no connection
  }
  leaveSoon(address);
}
