// The dialog of the workshop: asks for a name, or whether to go on.

const dialog = document.querySelector("[data-workshop='dialog']");
const part = (name) => dialog.querySelector(`[data-dialog="${name}"]`);

/**
 * Ask the user. Returns the text that was typed (true if none is asked for), or null if the user has thought better.
 *
 * @param {{title: string, ok: string, text?: string, label?: string, value?: string, names?: string[],
 *   check?: (text: string) => string|Promise<string>}} asked title, text, and ok: the button's words; label: of the
 *   field, without which no text is asked for; names: suggested; check: returns why a text will not do, or ""
 * @returns {Promise<string|true|null>}
 */
export function ask({ title, ok, text = "", label = "", value = "", names = [], check = () => "" }) {
  const input = dialog.querySelector("input");
  dialog.querySelector("h2").textContent = title;
  part("text").textContent = text;
  part("text").hidden = !text;
  part("field").hidden = !label;
  part("error").textContent = "";
  dialog.querySelector("label").textContent = label;
  dialog.querySelector("datalist").replaceChildren(...names.map((name) => new Option(name)));
  input.value = value;
  input.required = Boolean(label);
  part("ok").textContent = ok;
  part("ok").disabled = false;
  dialog.showModal();
  if (label) input.select();
  else part("ok").focus();

  return new Promise((answer) => {
    const listening = new AbortController();
    const end = (given) => {
      listening.abort();
      dialog.close();
      answer(given);
    };
    const { signal } = listening;
    dialog.querySelector("form").addEventListener("submit", async (event) => {
      event.preventDefault();
      part("ok").disabled = true; // a second press would submit twice
      const typed = input.value.trim();
      const problem = label ? await check(typed) : "";
      part("ok").disabled = false;
      part("error").textContent = problem;
      if (problem) input.focus();
      else if (!signal.aborted) end(label ? typed : true);
    }, { signal });
    part("cancel").addEventListener("click", () => end(null), { signal });
    dialog.addEventListener("cancel", () => end(null), { signal });
  });
}
