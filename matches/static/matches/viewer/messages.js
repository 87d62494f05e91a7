// Makes sentences of messages and events in the reader's language, from the tables of words that the page brings
// (`games/words/__init__.py`, which does the same for pages).

import "../vendor/fluent-bundle-0.19.1/fluent-bundle.min.js";

// The library is a script, not a module: it leaves its names in a global.
const { FluentBundle, FluentResource } = globalThis.FluentBundle;

/** The kind of a message that is a sentence already. */
const TEXT = "text";

export class Messages {
  /**
   * @param {[string, string][]} tables pairs of a language and a table's content in the format Fluent; an earlier table
   *   goes before a later one
   */
  constructor(tables) {
    this.tables = tables.map(([language, content]) => {
      const bundle = new FluentBundle(language, { useIsolating: false });
      const resource = new FluentResource(content);
      bundle.addResource(resource);
      return { bundle, ids: resource.body.map(({ id }) => id) };
    });
  }

  /**
   * Return the sentence of a message; for a message that no table has, its kind and values.
   *
   * @param {{kind: string, args?: object, seat?: number|null}} message a message, or an event of a replay
   * @param {string[]} bots names of the bots by seat
   */
  sentence({ kind, args, seat }, bots = []) {
    if (kind === TEXT) return String(args?.text ?? "");
    const values = Object.fromEntries(Object.entries(args ?? {}).map(([name, value]) => [name, this.#value(value, bots)]));
    if (seat !== undefined && seat !== null) values.bot = nameOf(seat, bots);
    return this.#formatted(kind, values) ?? [kind, ...Object.entries(values).map((pair) => pair.join("="))].join(" ");
  }

  /** Return the words of a module of the game: for `viewer-` `{"walls": "Walls"}` from the message `viewer-walls`. */
  words(prefix) {
    const ids = this.tables.flatMap((table) => table.ids).filter((id) => id.startsWith(prefix));
    return Object.fromEntries(ids.map((id) => [id.slice(prefix.length), this.#formatted(id, {})]));
  }

  #formatted(id, values) {
    for (const { bundle } of this.tables) {
      const pattern = bundle.getMessage(id)?.value;
      // With a list for its errors the library shows a value that is missing by its name, and does not throw.
      if (pattern) return bundle.formatPattern(pattern, values, []);
    }
    return null;
  }

  #value(value, bots) {
    if (typeof value === "number") return value;
    if (typeof value !== "object" || value === null) return String(value);
    return "kind" in value ? this.sentence(value, bots) : nameOf(value.seat, bots);
  }
}

/** Return the name of the bot on a seat; its number if the name is not known. */
function nameOf(seat, bots) {
  return Number.isInteger(seat) && bots[seat] !== undefined ? bots[seat] : String(seat);
}
