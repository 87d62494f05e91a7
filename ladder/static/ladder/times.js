// Tells times in the reader's own zone: the site knows its own alone. Where a moment stands it is written anew, and the
// site's becomes its title; a day, a time of day and "two minutes ago" get the moment as their title, since it may be
// another day here. Without this script all is as the site wrote.
"use strict";

// English is read in countries that write days in different orders; Swedish writes them as ISO 8601 does.
const language = document.documentElement.lang === "en" ? "sv" : document.documentElement.lang;
const day = {year: "numeric", month: "2-digit", day: "2-digit"};
const clock = {hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZoneName: "short"};
/** By what `data-moment` says. */
const formats = {
  "": new Intl.DateTimeFormat(language, {...day, ...clock}),
  day: new Intl.DateTimeFormat(language, day),
  clock: new Intl.DateTimeFormat(language, {...clock, second: "2-digit"}),
};

function tell(time) {
  const at = new Date(time.dateTime);
  const {moment} = time.dataset;
  time.title = moment === "" ? time.textContent : formats[""].format(at);
  if (moment !== undefined) time.textContent = formats[moment].format(at);
}

function tellAll(part) {
  part.querySelectorAll("time[datetime]").forEach(tell);
}

tellAll(document);
document.addEventListener("htmx:afterSwap", ({target}) => tellAll(target)); // boxes come anew, as the site wrote them

// Days that are typed begin in the reader's zone, too: the form sends it along with them, and its labels name it.
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
