// Links to a turn (`#t=17`), and the page's url, which follows the turn that is shown.

/** The url changes when a turn has been shown for this time: Safari refuses more than 100 changes in 10 seconds. */
const REST_MS = 200;

/** Return the turn that a link names, or null. */
export function turnOfLink(hash) {
  const found = /^#t=(\d{1,6})$/.exec(hash);
  return found ? Number(found[1]) : null;
}

/** Return the whole link to a turn of the match on this page. */
export function linkToTurn(turn) {
  return new URL(`#t=${turn}`, location.href).href;
}

/** Make the links of the page to the workshop name the player's turn. */
export function keepWorkshopLinks(player) {
  for (const link of document.querySelectorAll("[data-viewer='play-on']")) {
    player.addEventListener("turn", () => {
      const url = new URL(link.href);
      url.searchParams.set("turn", Math.max(player.turn, 1));
      link.href = url;
    });
  }
}

/** Make the page's url name the player's turn whenever the player is not playing. */
export function keepUrl(player) {
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
