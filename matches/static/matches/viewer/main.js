// The entry point: finds the viewer on the page, fetches the replay and the game's module, and shows the replay or an
// error.

import { followMatch } from "./live.js";
import { Messages } from "./messages.js";
import { fetchReplay, ReplayError } from "./replay.js";
import { showReplay } from "./shell.js";
import { fill } from "./words.js";

const root = document.querySelector("[data-viewer='root']");
const page = JSON.parse(document.getElementById("viewer-page").textContent);

/** Import the game's module. Browsers throw a TypeError if it cannot be fetched. */
async function importGame() {
  try {
    return await import(page.module);
  } catch (error) {
    throw error instanceof TypeError ? new ReplayError("connection") : error;
  }
}

try {
  const messages = new Messages(page.tables);
  page.game_words = messages.words("viewer-");
  if (page.live) followMatch(root, await importGame(), page, messages);
  else {
    const options = { messages, letters: page.letters };
    const [replay, game] = await Promise.all([fetchReplay(page.replay_json, options), importGame()]);
    showReplay(root, replay, game, page);
  }
} catch (error) {
  root.dataset.state = "failed";
  const said = error instanceof ReplayError ? (page.words[error.word] ?? page.words.damaged) : page.words.damaged;
  root.querySelector("[data-viewer='failure']").textContent = fill(said, error.values);
  if (page.next) (await import("./next.js")).leaveSoon(page.next);
  if (!(error instanceof ReplayError)) throw error;
}
