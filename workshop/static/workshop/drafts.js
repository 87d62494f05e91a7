// Keeps the draft: for the account, and for guests in this browser.

const PAUSE_MS = 2000;
/** The most bytes that a browser sends for a page that is being left. */
const LEAVING_BYTES_MAX = 60_000;

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
    Object.assign(this, { workshop, token, said, files, changed: false });
    // What a guest has written before he signed in is his account's draft now.
    if (workshop.signed_in && draftHere(workshop)) {
      this.changed = true;
      this.save().then(() => this.changed || localStorage.removeItem(keyOf(workshop)));
    }
    document.addEventListener("visibilitychange", () => document.hidden && this.save());
    addEventListener("beforeunload", (event) => {
      if (!this.changed) return;
      if (workshop.keeps_draft) this.save();
      else event.preventDefault(); // asks whether to leave: an old version was changed, and is not kept by itself
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

  /** Make the files the draft. */
  async keep() {
    const { words, signed_in: signedIn } = this.workshop;
    this.changed = false;
    if (signedIn) {
      this.said.textContent = words.saving;
      this.changed = !(await this.#send());
      this.said.textContent = this.changed ? words.not_saved : words.saved;
      return;
    }
    try {
      localStorage.setItem(keyOf(this.workshop), JSON.stringify(this.files()));
      this.said.textContent = words.saved_here;
    } catch {
      this.said.textContent = ""; // there is no storage: nothing is promised
    }
  }

  /** Take note that the page is left on purpose. */
  leave() {
    this.changed = false;
  }

  async #send() {
    const body = JSON.stringify({ language: this.workshop.language, files: this.files() });
    try {
      const answer = await fetch(this.workshop.urls.draft, {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-CSRFToken": this.token },
        body,
        keepalive: new Blob([body]).size < LEAVING_BYTES_MAX,
      });
      return answer.ok && !answer.redirected;
    } catch {
      return false;
    }
  }
}
