// Tells times in the reader's own zone: the site knows its own alone. Where a moment stands it is written anew, and the
// site's becomes its title; "two minutes ago" gets the moment as its title. Without this script all is as the site wrote.
"use strict";

// English is read in countries that write days in different orders; Swedish writes them as ISO 8601 does.
const language = document.documentElement.lang;
const digits = {month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", hourCycle: "h23"};
const format = new Intl.DateTimeFormat(language === "en" ? "sv" : language, {year: "numeric", ...digits, timeZoneName: "short"});

for (const time of document.querySelectorAll("time[datetime]")) {
  const here = format.format(new Date(time.dateTime));
  if ("moment" in time.dataset) {
    time.title = time.textContent;
    time.textContent = here;
  } else {
    time.title = here;
  }
}
