// The workshop: an editor with the files of a program, beside the guide and the match of the last try. The page brings
// its context as `page.workshop` (`workshop/pages.py`), and the elements are those of `workshop/workshop.html`.

import { fill } from "../matches/viewer/words.js";
import { ask } from "./dialog.js";
import { Drafts, draftHere } from "./drafts.js";
import { Editor } from "./editor.js";
import { post, Tries } from "./tries.js";

const page = JSON.parse(document.getElementById("viewer-page").textContent);
const { words, urls } = page.workshop;
const part = (name) => document.querySelector(`[data-workshop="${name}"]`);
const acts = part("acts");

const files = draftHere(page.workshop) ?? page.workshop.files;
const editor = new Editor(part("editor"), part("files"), files, page.workshop);
const drafts = new Drafts(page.workshop, part("saved"), part("newer"), () => editor.files());
const tries = new Tries(page, part, editor);

editor.addEventListener("change", () => drafts.change());
editor.addEventListener("save", () => drafts.save());
editor.addEventListener("try", () => page.workshop.signed_in && begin(page.workshop.played));
tries.addEventListener("show", ({ detail }) => show("match", detail));
tries.addEventListener("play-on", ({ detail }) => begin(detail));
acts.addEventListener("submit", (event) => {
  event.preventDefault();
  begin(page.workshop.played);
});

/** Try the program, from the beginning or from a turn of a match or a try. */
function begin(played) {
  drafts.save();
  const { opponent, seat } = acts.elements;
  tries.begin({
    language: page.workshop.language,
    opponent: opponent.value ? Number(opponent.value) : null,
    seat: Number(seat.value),
    played,
  });
}

/** Show the guide of the contest; its page has it, and stays linked if it cannot be fetched now. */
async function loadGuide() {
  const link = part("guide").querySelector("a");
  const response = await fetch(link.href).catch(() => null);
  if (!response?.ok) return;
  const guide = new DOMParser().parseFromString(await response.text(), "text/html");
  part("guide").replaceChildren(...guide.querySelectorAll(".guide-contest, .guide"));
}
loadGuide();

for (const name of ["guide", "match"]) part(`show-${name}`).addEventListener("click", () => show(name));

const narrow = matchMedia("(max-width: 60rem)");

/** Show the guide or the match beside the editor. */
function show(shown, { isAsked = true } = {}) {
  for (const name of ["guide", "match"]) {
    part(name).hidden = name !== shown;
    part(`show-${name}`).setAttribute("aria-pressed", name === shown);
  }
  if (narrow.matches && isAsked) part("side").scrollIntoView(); // there it lies below the editor
}
if (page.workshop.signed_in) tries.resume();

part("language").addEventListener("change", async ({ target }) => {
  await drafts.save();
  location.search = new URLSearchParams({ language: target.value });
});
part("add").addEventListener("click", async () => {
  const path = await ask({ title: words.add_title, label: words.path, ok: words.ok, check: pathProblem });
  if (path) editor.add(path);
});
part("rename").addEventListener("click", async () => {
  const title = fill(words.rename_title, { path: editor.path });
  const path = await ask({ title, label: words.path, value: editor.path, ok: words.ok, check: pathProblem });
  if (path) editor.rename(path);
});
part("delete").addEventListener("click", async () => {
  if (await ask({ title: fill(words.delete_title, { path: editor.path }), ok: words.delete })) editor.delete();
});
part("kit").addEventListener("click", async () => {
  if (await ask({ title: words.kit_title, text: words.kit_text, ok: words.kit })) editor.open(page.workshop.kit);
});
part("keep")?.addEventListener("click", async () => {
  if (await drafts.keep()) location.search = new URLSearchParams({ language: page.workshop.language });
});
part("submit")?.addEventListener("click", async () => {
  const { bots, language, reader } = page.workshop;
  let made = null;
  const name = await ask({
    title: words.submit_title, text: words.submit_text, label: words.bot, value: bots[0] ?? "", names: bots,
    ok: words.submit,
    async check(bot) {
      await drafts.save();
      const { answer, problem } = await post(urls.submit, { language, reader, files: editor.files(), name: bot }, words);
      made = answer;
      return problem;
    },
  });
  if (!name) return;
  drafts.leave();
  location.assign(made.url);
});

function pathProblem(path) {
  return path in editor.files() && path !== editor.path ? words.path_taken : "";
}

part("root").inert = false; // a click before this would do nothing, or send the form
