// Makes the file field a place to drop a file on, and says that a file is too large before it is sent.
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

area.addEventListener("dragover", (event) => {
  event.preventDefault();
  area.classList.add("is-over");
});
area.addEventListener("dragleave", () => area.classList.remove("is-over"));
area.addEventListener("drop", (event) => {
  event.preventDefault();
  area.classList.remove("is-over");
  if (event.dataTransfer.files.length) {
    input.files = event.dataTransfer.files;
    checkSize();
  }
});
input.addEventListener("change", checkSize);
input.form.addEventListener("submit", (event) => {
  if (!checkSize()) event.preventDefault();
});
