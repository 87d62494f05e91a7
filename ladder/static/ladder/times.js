// Shows times in the reader's time zone, which only the browser knows. With `data-moment` it replaces the text of a
// <time> element. The title of a full date and time becomes the site's text; all others, such as a day or "two minutes
// ago", get the local date and time as their title. Without this script pages show the site's texts.
"use strict";

// English is read in countries that write days in different orders; Swedish writes them as ISO 8601 does.
const language = document.documentElement.lang === "en" ? "sv" : document.documentElement.lang;
const day = {year: "numeric", month: "2-digit", day: "2-digit"};
const clock = {hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZoneName: "short"};
/** Formats by the value of `data-moment`. */
const formats = {
  "": new Intl.DateTimeFormat(language, {...day, ...clock}),
  day: new Intl.DateTimeFormat(language, day),
  clock: new Intl.DateTimeFormat(language, {...clock, second: "2-digit"}),
};

function showLocal(time) {
  const at = new Date(time.dateTime);
  const {moment} = time.dataset;
  time.title = moment === "" ? time.textContent : formats[""].format(at);
  if (moment !== undefined) time.textContent = formats[moment].format(at);
}

function showAllLocal(part) {
  part.querySelectorAll("time[datetime]").forEach(showLocal);
}

showAllLocal(document);
document.addEventListener("htmx:afterSwap", ({target}) => showAllLocal(target)); // new boxes hold the site's texts

// Days that a reader types are days in the reader's zone: the form sends the zone with them, and its labels name it.
document.querySelectorAll("input[name=zone]").forEach((zone) => {
  zone.value ||= Intl.DateTimeFormat().resolvedOptions().timeZone;
  const days = [...zone.form.querySelectorAll("input[type=date]")];
  days.flatMap((typed) => [...typed.labels]).forEach((label) => {
    label.textContent = label.textContent.replace("UTC", zone.value);
  });
  zone.form.addEventListener("submit", () => {
    zone.disabled = !days.some((typed) => typed.value);
  });
});
