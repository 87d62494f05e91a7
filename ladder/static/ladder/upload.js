// Lets users drop a file on the upload field, or paste a file or the text of a program anywhere on the page, and shows an
// error for files that are too large before they are sent. The form also works without this script.
"use strict";

const area = document.querySelector("[data-drop]");
const input = area.querySelector("input[type=file]");
const problem = document.querySelector("[data-drop-error]");

const paste = document.querySelector("[data-paste]");
const program = paste.querySelector("textarea");

area.querySelector("[data-drop-hint]").hidden = false;

function checkSize() {
  const file = input.files[0];
  if (file) program.value = ""; // the latest choice wins
  const tooLong = new Blob([program.value]).size > Number(program.dataset.maxBytes);
  const tooLarge = tooLong || (Boolean(file) && file.size > Number(input.dataset.maxBytes));
  problem.textContent = tooLarge ? (tooLong ? program : input).dataset.tooLarge : "";
  problem.hidden = !tooLarge;
  return !tooLarge;
}

function take(files) {
  input.files = files;
  checkSize();
}

/** Puts the text of a program into its field, where the user can read it, and sends it instead of a file. */
function takeText(text) {
  paste.open = true;
  program.value = text;
  program.dispatchEvent(new Event("input"));
  program.focus();
}

area.addEventListener("dragover", (event) => {
  event.preventDefault();
  area.classList.add("is-over");
});
area.addEventListener("dragleave", () => area.classList.remove("is-over"));
area.addEventListener("drop", (event) => {
  event.preventDefault();
  area.classList.remove("is-over");
  if (event.dataTransfer.files.length) take(event.dataTransfer.files);
});
document.addEventListener("paste", (event) => {
  const { files } = event.clipboardData;
  const text = event.clipboardData.getData("text/plain");
  // A paste into another field belongs to that field, even if the clipboard holds a file (a picture) besides the text.
  const field = event.target.closest("input:not([type=file]), textarea");
  if (field && (field !== program || text)) return;
  if (files.length) take(files);
  else if (text) takeText(text);
  else return;
  event.preventDefault();
});
program.addEventListener("input", () => {
  if (program.value) input.value = "";
  checkSize();
});
input.addEventListener("change", checkSize);
input.form.addEventListener("submit", (event) => {
  if (!checkSize()) event.preventDefault();
});
