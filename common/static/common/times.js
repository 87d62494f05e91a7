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
  part.querySelectorAll(".local-moment").forEach(offerZone);
  countDown();
}

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const typedFormat = new Intl.DateTimeFormat("sv", {dateStyle: "short", timeStyle: "medium"});
const minutes = [-60, -30, 30, 60]; // by which clocks are put back

/** Offer the reader's zone for a date and time to type. A time that comes twice in it stays in UTC. */
function offerZone(field) {
  const [typed, choice] = field.children;
  if (![...choice.options].some((option) => option.value === zone)) choice.add(new Option(zone, zone));
  if (!typed.value) choice.value = zone;
  if (!typed.dataset.at) return;
  const at = new Date(typed.dataset.at).getTime();
  const local = typedFormat.format(at);
  if (minutes.some((count) => typedFormat.format(at + 60000 * count) === local)) return;
  choice.value = zone;
  typed.value = local.replace(" ", "T");
}

// The two largest units are shown: days and hours, hours and minutes, or minutes and seconds.
const units = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];
const unitFormats = new Map(units.map(([unit]) => [unit, new Intl.NumberFormat(document.documentElement.lang, {
  style: "unit", unit, unitDisplay: "long",
})]));
const list = new Intl.ListFormat(document.documentElement.lang, {style: "long", type: "unit"});

function duration(seconds) {
  const first = Math.max(units.findIndex(([, size]) => seconds >= size), 0);
  let rest = seconds;
  const parts = units.slice(first, first + 2).map(([unit, size]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count ? unitFormats.get(unit).format(count) : "";
  });
  return list.format(parts.filter(Boolean));
}

function showLeft(time) {
  const seconds = Math.ceil((new Date(time.dateTime) - Date.now()) / 1000);
  const {countdown, over} = time.dataset;
  const text = seconds > 0 ? countdown.replace("{time}", duration(seconds)) : over;
  if (time.textContent !== text) time.textContent = text; // a selection of the text stays as long as it is right
  return seconds;
}

let ticking;

/** Show all countdowns, and again when the next of them changes: each minute, or each second in the last hour. */
function countDown() {
  clearTimeout(ticking);
  const left = [...document.querySelectorAll("time[data-countdown]")].map(showLeft).filter((seconds) => seconds > 0);
  const waits = left.map((seconds) => (seconds > 3600 ? seconds % 60 + 1 : 1));
  if (waits.length) ticking = setTimeout(countDown, 1000 * Math.min(...waits));
}

showAllLocal(document);
document.addEventListener("htmx:afterSwap", ({target}) => showAllLocal(target)); // new boxes hold the site's texts

// Days that a reader types are days in the reader's zone: the form sends the zone with them, and its labels name it.
document.querySelectorAll("input[name=zone]").forEach((sent) => {
  sent.value ||= zone;
  const days = [...sent.form.querySelectorAll("input[type=date]")];
  days.flatMap((typed) => [...typed.labels]).forEach((label) => {
    label.textContent = label.textContent.replace("UTC", sent.value);
  });
  sent.form.addEventListener("submit", () => {
    sent.disabled = !days.some((typed) => typed.value);
  });
});
