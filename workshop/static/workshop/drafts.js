// Keeps the draft: for the account, and for guests in this browser.

import { post } from "./tries.js";

const PAUSE_MS = 2000;

const keyOf = ({ place, language }) => `workshop ${place} ${language}`;

/**
 * Return the draft that a guest has left in this browser, or null. Somebody who has signed in gets it if his account has
 * none: at a shared computer it may be another's.
 */
export function draftHere(workshop) {
  if (workshop.signed_in ? !workshop.is_kit : !workshop.keeps_draft) return null;
  try {
    return JSON.parse(localStorage.getItem(keyOf(workshop)));
  } catch {
    return null; // there is no storage, as in a private window of some browsers
  }
}

export class Drafts {
  /**
   * @param {object} workshop `page.workshop`
   * @param {string} token against forged requests
   * @param {HTMLElement} said tells whether the draft is saved
   * @param {() => Object<string, string>} files returns the texts by path
   */
  constructor(workshop, token, said, files) {
    Object.assign(this, { workshop, token, said, files, changed: false, hasFailed: false });
    // What a guest has written before he signed in is his account's draft now.
    if (workshop.signed_in && draftHere(workshop)) {
      this.keep().then((isKept) => isKept && localStorage.removeItem(keyOf(workshop)));
    }
    document.addEventListener("visibilitychange", () => document.hidden && this.save());
    addEventListener("beforeunload", (event) => {
      if (!this.changed) return;
      if (workshop.keeps_draft && !this.hasFailed) this.save();
      else event.preventDefault(); // asks whether to leave: an old version or what the site refuses is kept nowhere
    });
  }

  /** Take note that the user has changed something. */
  change() {
    this.changed = true;
    clearTimeout(this.timer);
    if (this.workshop.keeps_draft) this.timer = setTimeout(() => this.save(), PAUSE_MS);
  }

  /** Save at once what has changed; nothing of an old version, beside which the draft stays as it is. */
  async save() {
    clearTimeout(this.timer);
    if (this.changed && this.workshop.keeps_draft) await this.keep();
  }

  /** Make the files the draft. Returns whether they are. */
  async keep() {
    const { words, signed_in: signedIn } = this.workshop;
    this.changed = false;
    if (signedIn) {
      this.said.textContent = words.saving;
      const problem = await this.#send();
      this.hasFailed = Boolean(problem);
      this.changed ||= this.hasFailed; // the user may have written more meanwhile
      this.said.textContent = problem || words.saved;
      return !problem;
    }
    try {
      localStorage.setItem(keyOf(this.workshop), JSON.stringify(this.files()));
      this.said.textContent = words.saved_here;
    } catch {
      this.said.textContent = ""; // there is no storage: nothing is promised
    }
    return true;
  }

  /** Take note that the page is left on purpose. */
  leave() {
    this.changed = false;
  }

  /** Send the files. Returns a sentence that says why they are not stored, or "". */
  async #send() {
    const { language, urls, words } = this.workshop;
    const body = { language, files: this.files() };
    const said = { ...words, connection: words.not_saved };
    const { problem } = await post(urls.draft, this.token, body, said, { outlivesPage: true });
    return problem;
  }
}
