// Goes on to another match when one has been shown to its end: for unattended screens.

/** How long the end of a match is shown, and the pause before the next try if the site does not answer. */
const REST_MS = 8000;

/** Go to another match after the end of this one, unless the reader steps back or hides the page. */
export function goOn(player, url) {
  let rest;
  const look = () => {
    clearTimeout(rest);
    const ended = !player.playing && !player.live && player.turn === player.last;
    if (ended && !document.hidden) rest = leaveSoon(url);
  };
  for (const name of ["state", "turn"]) player.addEventListener(name, look);
  document.addEventListener("visibilitychange", look);
  look();
}

/** Go to another match after REST_MS; returns the timer. */
export function leaveSoon(url) {
  return setTimeout(() => leave(url), REST_MS);
}

/** Load the page to which the site redirects, if the site answers: no script would leave a page that failed to load. */
async function leave(url) {
  try {
    const answer = await fetch(url);
    if (answer.ok) return location.replace(answer.url);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // browsers throw a TypeError when there is no connection
  }
  leaveSoon(url);
}
