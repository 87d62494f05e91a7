// Explains a term in a box at its link, instead of leaving for the glossary. Without this script the link leads there.
"use strict";

const termBox = document.getElementById("term-box");

document.addEventListener("click", (event) => {
  const link = event.target.closest("a.term");
  if (!link || !termBox.showPopover || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const [title, text, more] = termBox.querySelectorAll("strong, p, a");
  title.textContent = link.dataset.title;
  text.textContent = link.dataset.text;
  more.href = link.href;
  termBox.hidePopover();
  termBox.showPopover();
  // Below the link, and not beyond the edge of the window. The box scrolls with the page.
  const {left, bottom} = link.getBoundingClientRect();
  const space = document.documentElement.clientWidth - termBox.offsetWidth - 8;
  termBox.style.left = `${scrollX + Math.max(8, Math.min(left, space))}px`;
  termBox.style.top = `${scrollY + bottom + 6}px`;
});
