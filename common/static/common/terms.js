// Explains a term in a box at its link, instead of leaving for the glossary. Without this script the link leads there.
"use strict";

const box = document.getElementById("term-box");

document.addEventListener("click", (event) => {
  const link = event.target.closest("a.term");
  if (!link || !box.showPopover || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const [title, text, more] = box.querySelectorAll("strong, p, a");
  title.textContent = link.dataset.title;
  text.textContent = link.dataset.text;
  more.href = link.href;
  box.hidePopover();
  box.showPopover();
  // Below the link, and not beyond the edge of the window. The box scrolls with the page.
  const {left, bottom} = link.getBoundingClientRect();
  const space = document.documentElement.clientWidth - box.offsetWidth - 8;
  box.style.left = `${scrollX + Math.max(8, Math.min(left, space))}px`;
  box.style.top = `${scrollY + bottom + 6}px`;
});
