// Lets a reader dismiss announcements: a cookie stores their keys, and the site leaves them out of further pages.
// Without this script announcements cannot be dismissed.
"use strict";

const box = document.querySelector("[data-announcements]");
const cookie = box.dataset.announcements;
const DISMISSED_MAX = 20;
const YEAR_SECONDS = 365 * 24 * 3600;

function dismissed() {
  const found = document.cookie.split("; ").find((part) => part.startsWith(`${cookie}=`));
  return found ? found.slice(cookie.length + 1).split(".") : [];
}

function dismiss(item) {
  // Only the newest keys: the browser sends the cookie with every request.
  const numbers = [...dismissed(), item.dataset.announcement].slice(-DISMISSED_MAX).join(".");
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `${cookie}=${numbers}; Max-Age=${YEAR_SECONDS}; Path=/; SameSite=Lax${secure}`;
  const next = item.nextElementSibling ?? item.previousElementSibling;
  item.remove();
  if (next) next.querySelector("button").focus();
  else {
    box.remove();
    document.querySelector("#content").focus();
  }
}

for (const item of box.children) {
  const button = item.querySelector("button");
  button.hidden = false;
  button.addEventListener("click", () => dismiss(item));
}
