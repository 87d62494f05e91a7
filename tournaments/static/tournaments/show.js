// The show of a tournament for a hall: one key for the next step. The site makes each step's part of the page, and this
// script puts it on the screen. The board of a match is a frame, into which the keys for the match are passed on.
"use strict";

const page = JSON.parse(document.getElementById("show-page").textContent);
const part = (name) => document.querySelector(`[data-show="${name}"]`);
const stage = part("stage");
const help = part("help");
const all = part("all");
const follow = part("follow");

/** The number of the step that is shown; -1 before the first. */
let at = -1;
/** The step that is being loaded: what comes late for another one is not shown any more. */
let wanted = -1;
/** The parts that were loaded before they are needed, by number of the step. */
const loaded = new Map();
/** The steps whose results have been released from here. */
const released = new Set();

/** The keys of a match, with the viewer's own key for each. */
const MATCH_KEYS = { p: " ", P: " ", "+": "+", "=": "+", "-": "-" };
const KEYS = {
  " ": next, Enter: next, ArrowRight: next, PageDown: next, // clickers send PageDown and PageUp
  ArrowLeft: back, Backspace: back, PageUp: back,
  ArrowDown: () => go(roundBegin(1)),
  ArrowUp: () => go(roundBegin(-1)),
  Home: () => go(0),
  a: allToggle, A: allToggle,
  f: fullScreen, F: fullScreen,
  "?": () => help.showModal(),
};

// --- Steps ---------------------------------------------------------------------------------------------------------

/** Return the nearest step in a direction that is not left out, or -1. */
function following(number, by) {
  let found = number + by;
  while (page.steps[found]?.extra && !all.checked) found += by;
  return page.steps[found] ? found : -1;
}

function next() {
  if (page.steps[at]?.kind === "more") location.reload();
  else go(following(at, 1), { forward: true });
}

function back() {
  go(following(at, -1));
}

/** Return the first step of the next round (1), or of this one (-1; of the one before, if this one begins here). */
function roundBegin(by) {
  for (let number = at + by; page.steps[number]; number += by) {
    if (["round", "podium", "opening"].includes(page.steps[number].kind)) return number;
  }
  return -1;
}

async function go(number, { forward = false } = {}) {
  if (number < 0 || number === wanted) return;
  wanted = number;
  let text;
  try {
    text = await load(number);
  } catch (error) {
    loaded.delete(number);
    if (wanted === number) wanted = at;
    say(page.words.away);
    if (error instanceof TypeError || error instanceof Refused) return; // no connection, or an answer of a proxy
    throw error;
  }
  if (wanted !== number) return;
  at = number;
  show(text);
  const after = following(number, 1);
  if (after >= 0) load(after).catch(() => loaded.delete(after));
  if (forward && page.steps[number].releases && follow?.checked) await release(number);
}

class Refused extends Error {}

function load(number) {
  if (!loaded.has(number)) loaded.set(number, fetched(number));
  return loaded.get(number);
}

async function fetched(number) {
  const answer = await fetch(page.step_url.replace(/0\/$/, `${number}/`));
  if (answer.redirected) location.reload(); // the presenter was signed out
  if (!answer.ok) throw new Refused();
  return answer.text();
}

function show(text) {
  stage.innerHTML = text;
  const step = stage.firstElementChild;
  part("where").textContent = step.dataset.where?.trim() ?? "";
  part("spoken").textContent = step.querySelector("h1")?.textContent ?? "";
  say("");
  history.replaceState(null, "", `#s=${at}`);
  part("back").setAttribute("aria-disabled", following(at, -1) < 0);
  part("next").setAttribute("aria-disabled", following(at, 1) < 0 && page.steps[at].kind !== "more");
  stage.querySelector(".is-now")?.scrollIntoView({ block: "nearest" });
  const frame = part("frame");
  frame?.addEventListener("load", () => mirror(frame.contentDocument));
}

/** Show turn and commentary of the match in a frame below it, as large as a hall needs. */
function mirror(board) {
  const inside = (name) => board.querySelector(`[data-viewer="${name}"]`);
  if (!inside("turn")) return; // the match has no replay
  const [turn, line] = [part("turn"), part("line")];
  const copy = () => {
    turn.textContent = inside("turn").textContent;
    // A viewer that stands still reads out all scores, which are seen anyhow.
    if (inside("play").dataset.playing === "true") line.textContent = inside("spoken").textContent;
  };
  const watch = new MutationObserver(copy);
  for (const name of ["turn", "spoken"]) watch.observe(inside(name), { childList: true });
  copy();
}

// --- Keys ----------------------------------------------------------------------------------------------------------

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
  if ([" ", "Enter"].includes(event.key) && event.target.closest("button, a")) return; // they have it pressed
  const own = MATCH_KEYS[event.key];
  if (!own && !KEYS[event.key]) return;
  event.preventDefault();
  if (own) part("frame")?.contentDocument.body.dispatchEvent(new KeyboardEvent("keydown", { key: own, bubbles: true }));
  else if (!event.repeat) KEYS[event.key]();
}

function allToggle() {
  all.checked = !all.checked;
  allSay();
}

function allSay() {
  say(all.checked ? page.words.all : page.words.deciding);
  keep();
}

function fullScreen() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen();
}

function say(text) {
  part("said").textContent = text;
}

/** Keep the settings while the page is open, also when it is loaded again. */
function keep() {
  sessionStorage.setItem(location.pathname, JSON.stringify([all.checked, Boolean(follow?.checked)]));
}

// --- Release -------------------------------------------------------------------------------------------------------

async function release(number) {
  if (released.has(number)) return;
  const body = new FormData(part("release"));
  body.set("step", number);
  try {
    const answer = await fetch(page.release_url, { method: "POST", body });
    const { error } = await answer.json().catch(() => ({ error: page.words.away }));
    if (!error) released.add(number);
    say(error ?? page.words.released);
  } catch (error) {
    say(page.words.away);
    if (!(error instanceof TypeError)) throw error;
  }
}

const [showsAll, follows] = JSON.parse(sessionStorage.getItem(location.pathname) ?? "[false, false]");
all.checked = showsAll;
all.addEventListener("change", allSay);
if (follow) {
  follow.checked = follows;
  follow.addEventListener("change", keep);
}
document.addEventListener("keydown", onKey);
stage.addEventListener("click", next);
part("next").addEventListener("click", next);
part("back").addEventListener("click", back);
part("help-open").addEventListener("click", () => help.showModal());
const linked = Number(/^#s=(\d{1,5})$/.exec(location.hash)?.[1] ?? 0);
go(Math.min(linked, page.steps.length - 1));
