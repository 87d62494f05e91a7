// The input of games that bring none: the legal answers as a list.

import { element } from "../matches/viewer/words.js";

/** As many answers are buttons, of which one press sends; more are a list to choose from. */
const BUTTONS_MAX = 24;

/** Make the input, see `table.js`. */
export function makeInput(table, words) {
  const { place } = table;
  return {
    ask({ offered }) {
      const isSmall = offered.length === 1 && offered[0].length <= BUTTONS_MAX;
      place.replaceChildren(isSmall ? makeButtons(table, offered[0], words) : makeChoices(table, offered, words));
    },
    rest() {
      for (const each of place.querySelectorAll("button, select")) each.disabled = true;
    },
  };
}

function makeButtons(table, texts, words) {
  const group = element("div", "table-answers");
  group.setAttribute("role", "group");
  group.ariaLabel = words.answers;
  group.append(...texts.map((text) => {
    const button = element("button", "table-answer", text);
    button.type = "button";
    button.addEventListener("click", () => table.send([text]));
    return button;
  }));
  return group;
}

function makeChoices(table, offered, words) {
  const form = element("form", "table-answers");
  const selects = offered.map((texts, line) => {
    const select = element("select");
    select.ariaLabel = words.line.replace("{line}", line + 1);
    select.append(...texts.map((text) => new Option(text, text)));
    return select;
  });
  form.append(...selects, element("button", "", words.send));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    table.send(selects.map(({ value }) => value));
  });
  return form;
}
