// Goes on to another match when one has been shown to its end: for unattended screens.

import { leaveFor } from "./fullscreen.js";

/** Where the browser keeps for one tab that the reader wants sounds, from match to match. */
const SOUND = "show-sound";
/** How long the end of a match is shown, and the pause before the next try if the site does not answer. */
const REST_MS = 8000;
/** Whether the show goes on in a frame: this page has done its part. */
let hasLeft = false;

/** Go to another match after the end of this one, unless the reader steps back or hides the page. */
export function goOn(player, url) {
  let rest;
  const look = () => {
    clearTimeout(rest);
    if (hasLeft) return;
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

/** Keep the sound on in the next matches if the reader has switched it on. */
export function keepSound(button) {
  try {
    if (sessionStorage.getItem(SOUND) === "true") button.click();
    button.addEventListener("click", () => sessionStorage.setItem(SOUND, button.ariaPressed !== "true"));
  } catch {
    // The reader's browser keeps nothing: each match begins without sound.
  }
}

/** Load the page to which the site redirects, if the site answers: no script would leave a page that failed to load. */
async function leave(url) {
  try {
    const answer = await fetch(url);
    if (answer.ok) {
      hasLeft = leaveFor(answer.url);
      return;
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // browsers throw a TypeError when there is no connection
  }
  leaveSoon(url);
}
