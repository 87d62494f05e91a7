// Keeps the draft: for the account, and for guests in this browser.

import { post } from "./tries.js";

const PAUSE_MS = 2000;

/** Return a random name; `crypto.randomUUID` is missing where the site is no secure context. */
const pageName = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16)).join("");

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
   * @param {HTMLElement} said tells whether the draft is saved
   * @param {HTMLElement} newer offers to overwrite a newer draft
   * @param {() => Object<string, string>} files returns the texts by path
   */
  constructor(workshop, said, newer, files) {
    Object.assign(this, { workshop, said, newer, files, changed: false, hasFailed: false });
    this.revision = workshop.revision;
    /** This page, of which the site knows what it has saved itself: a page that is left does not wait for an answer. */
    this.page = pageName();
    newer.querySelector("button").addEventListener("click", () => {
      this.revision = this.newest;
      this.keep();
    });
    // What a guest has written before he signed in is his account's draft now.
    if (workshop.signed_in && draftHere(workshop)) {
      this.keep().then((isKept) => isKept && localStorage.removeItem(keyOf(workshop)));
    }
    // The user comes back from the tab in which he has signed in again.
    document.addEventListener("visibilitychange", () => (document.hidden || this.hasFailed) && this.save());
    addEventListener("beforeunload", (event) => {
      if (!this.changed) return;
      if (workshop.keeps_draft && !this.hasFailed) this.save({ leaves: true });
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
  async save(how) {
    clearTimeout(this.timer);
    if (this.changed && this.workshop.keeps_draft && this.newer.hidden) await this.keep(how);
  }

  /**
   * Make the files the draft. Returns whether they are.
   * @param {{leaves?: boolean}} how whether the page is left at this moment, so that nothing can be waited for
   */
  async keep({ leaves = false } = {}) {
    const { words, signed_in: signedIn } = this.workshop;
    this.changed = false;
    if (signedIn) {
      this.said.textContent = words.saving;
      // One after the other: two that are on their way at once may reach the site in the other order.
      this.turn = leaves ? this.#send() : Promise.resolve(this.turn).then(() => this.#send());
      const problem = await this.turn;
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
    const { language, urls, words, reader } = this.workshop;
    const body = { language, files: this.files(), reader, revision: this.revision, page: this.page };
    const said = { ...words, connection: words.not_saved };
    const { answer, problem } = await post(urls.draft, body, said, { outlivesPage: true });
    this.newer.hidden = !problem || !answer?.revision;
    if (problem) this.newest = answer?.revision;
    else this.revision = Math.max(this.revision, answer.revision); // answers may overtake each other
    return problem;
  }
}
