// Takes a file that is dropped on its field or pasted on the page, and says that one is too large before it is sent.
// Without this script the form works as well.
"use strict";

const area = document.querySelector("[data-drop]");
const input = area.querySelector("input[type=file]");
const problem = document.querySelector("[data-drop-error]");

area.querySelector("[data-drop-hint]").hidden = false;

function checkSize() {
  const file = input.files[0];
  const tooLarge = Boolean(file) && file.size > Number(input.dataset.maxBytes);
  problem.textContent = tooLarge ? input.dataset.tooLarge : "";
  problem.hidden = !tooLarge;
  return !tooLarge;
}

function take(files) {
  input.files = files;
  checkSize();
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
  const { files, types } = event.clipboardData;
  // Programs put a picture of a copied text beside it: a name that is pasted into its field stays a name.
  const isText = types.includes("text/plain") && event.target.matches("input[type=text]");
  if (!files.length || isText) return;
  event.preventDefault();
  take(files);
});
input.addEventListener("change", checkSize);
input.form.addEventListener("submit", (event) => {
  if (!checkSize()) event.preventDefault();
});
