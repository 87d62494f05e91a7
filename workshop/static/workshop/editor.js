// The editor: files in tabs, each with its own text, history and marks. CodeMirror does the editing.
//
// It lies in a shadow root, since there CodeMirror adopts its style sheets; in the document it would write a style
// element, which the content security policy forbids.

import { element, fill } from "../matches/viewer/words.js";
import { indexOfColumn } from "./columns.js";
import {
  bracketMatching, c, cpp, csharp, defaultKeymap, drawSelection, EditorState, EditorView, go, highlightActiveLine,
  highlightActiveLineGutter, HighlightStyle, history, historyKeymap, indentOnInput, indentUnit, indentWithTab,
  javaLanguage, javascriptLanguage, keymap, kotlin, lineNumbers, lintGutter, phpLanguage, pythonLanguage, ruby, rust,
  search, searchKeymap, setDiagnostics, StreamLanguage, syntaxHighlighting, tags, typescriptLanguage,
} from "./vendor/codemirror-6/codemirror.js";

const MODES = {
  py: () => pythonLanguage, js: () => javascriptLanguage, mjs: () => javascriptLanguage, ts: () => typescriptLanguage,
  java: () => javaLanguage, php: () => phpLanguage,
  c: () => StreamLanguage.define(c), h: () => StreamLanguage.define(cpp), cpp: () => StreamLanguage.define(cpp),
  cc: () => StreamLanguage.define(cpp), cxx: () => StreamLanguage.define(cpp), hpp: () => StreamLanguage.define(cpp),
  cs: () => StreamLanguage.define(csharp), kt: () => StreamLanguage.define(kotlin), go: () => StreamLanguage.define(go),
  rs: () => StreamLanguage.define(rust), rb: () => StreamLanguage.define(ruby),
};

/** Colours are custom properties of `workshop.css`, which reach into the shadow root. */
const COLOURS = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier, tags.controlKeyword, tags.operatorKeyword], color: "var(--code-keyword)" },
  { tag: [tags.string, tags.character, tags.regexp, tags.special(tags.string)], color: "var(--code-string)" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom, tags.self], color: "var(--code-number)" },
  { tag: [tags.comment, tags.meta], color: "var(--code-comment)", fontStyle: "italic" },
  { tag: [tags.function(tags.variableName), tags.function(tags.definition(tags.variableName)), tags.function(tags.propertyName)], color: "var(--code-name)" },
  { tag: [tags.typeName, tags.className, tags.namespace], color: "var(--code-type)" },
]);

const LOOK = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--sheet)", fontSize: "0.9rem" },
  "&.cm-focused": { outline: "3px solid var(--focus)", outlineOffset: "-1px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)", borderLeftWidth: "2px" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--code-selection)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--code-line)" },
  ".cm-gutters": { color: "var(--ink-soft)", backgroundColor: "var(--sunk)", borderRight: "1px solid var(--line)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--code-selection)" },
  ".cm-panels": { color: "var(--ink)", backgroundColor: "var(--sunk)" },
  ".cm-panels-top": { borderBottom: "1px solid var(--line)" },
  ".cm-panel.cm-search": { fontFamily: "var(--sans)" },
  ".cm-textfield": { color: "var(--ink)", backgroundColor: "var(--sheet)", border: "1px solid var(--ink-soft)" },
  ".cm-button": { color: "var(--ink)", backgroundColor: "var(--sheet)", backgroundImage: "none", border: "1px solid var(--ink-soft)" },
  ".cm-searchMatch": { backgroundColor: "var(--code-found)" },
  ".cm-searchMatch-selected": { backgroundColor: "var(--code-selection)" },
  ".cm-tooltip": { color: "var(--ink)", backgroundColor: "var(--sheet)", border: "1px solid var(--line-strong)" },
  // In place of CodeMirror's pictures, which are data urls: the content security policy forbids these.
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--bad)" },
  ".cm-lintRange-warning": { backgroundImage: "none", textDecoration: "underline wavy var(--busy)" },
  ".cm-lintRange-active": { backgroundColor: "var(--code-found)" },
  ".cm-lint-marker": { display: "grid", placeItems: "center", fontWeight: "700" },
  ".cm-lint-marker-error, .cm-lint-marker-warning": { content: "normal" },
  ".cm-lint-marker-error::before": { content: "'✕'", color: "var(--bad)" },
  ".cm-lint-marker-warning::before": { content: "'▲'", color: "var(--busy)" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--bad)" },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--busy)" },
});

export class Editor extends EventTarget {
  /**
   * Fires "change" when the user has changed a file, "save" and "try" for the keys that ask for it.
   *
   * @param {HTMLElement} place
   * @param {HTMLElement} tabs a list, filled with a button for each file
   * @param {Object<string, string>} files texts by path; the first is shown
   * @param {{words: object, phrases: object}} workshop
   */
  constructor(place, tabs, files, { words, phrases }) {
    super();
    Object.assign(this, { tabs, words, phrases });
    const root = place.attachShadow({ mode: "open" });
    const keys = element("p", "", words.keys);
    keys.id = "keys";
    keys.hidden = true; // the page shows the same; a description must lie in the same root
    root.append(keys);
    this.view = new EditorView({ root, parent: root });
    // The viewer plays and steps by keys pressed anywhere on the page.
    place.addEventListener("keydown", (event) => event.stopPropagation());
    this.#fill(files);
  }

  /** Return the texts by path. */
  files() {
    this.states.set(this.path, this.view.state);
    return Object.fromEntries([...this.states].map(([path, state]) => [path, state.doc.toString()]));
  }

  /** Show other files in place of all these. */
  open(files) {
    this.#fill(files);
    this.#changed();
  }

  add(path) {
    this.states.set(path, this.#state(path, ""));
    this.#show(path, { focus: true });
    this.#changed();
  }

  /** Rename the file that is shown. */
  rename(path) {
    const renamed = [path, this.#state(path, this.view.state.doc.toString())];
    this.states = new Map([...this.states].map((file) => (file[0] === this.path ? renamed : file)));
    this.#show(path, { kept: false });
    this.#changed();
  }

  /** Delete the file that is shown; of the last one an empty file stays. */
  delete() {
    const { path } = this;
    this.states.delete(path);
    if (!this.states.size) this.states.set(path, this.#state(path, ""));
    this.#show(this.states.keys().next().value, { kept: false });
    this.#changed();
  }

  /** Go to a line of a file, if it is still here. */
  go(path, line) {
    if (!this.states.has(path)) return;
    this.#show(path, { focus: true });
    const { doc } = this.view.state;
    const { from } = doc.line(Math.min(Math.max(line, 1), doc.lines));
    this.view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
  }

  /** Return the path of a file here that a compiler means, which may begin with folders of its own; else null. */
  find(path) {
    const found = [...this.states.keys()].filter((own) => path === own || path.endsWith(`/${own}`));
    return found.sort((one, other) => other.length - one.length)[0] ?? null;
  }

  /** Mark lines, and only these: [{path, line, column, text, is_error}] with paths of files here. */
  mark(marks) {
    this.files(); // keeps the text of the file that is shown
    for (const [path, state] of this.states) {
      const found = marks.filter((mark) => mark.path === path).map((mark) => diagnosticOf(mark, state.doc));
      if (path === this.path) this.view.dispatch(setDiagnostics(state, found));
      else this.states.set(path, state.update(setDiagnostics(state, found)).state);
    }
  }

  #fill(files) {
    this.states = new Map(Object.entries(files).map(([path, text]) => [path, this.#state(path, text)]));
    this.#show(Object.keys(files)[0], { kept: false });
  }

  #show(path, { focus = false, kept = true } = {}) {
    if (kept) this.states.set(this.path, this.view.state);
    this.path = path;
    this.view.setState(this.states.get(path));
    this.tabs.replaceChildren(...[...this.states.keys()].map((name) => this.#tab(name)));
    if (focus) this.view.focus();
  }

  #tab(path) {
    const item = element("li");
    const button = element("button", "workshop-file", path);
    button.type = "button";
    button.setAttribute("aria-current", path === this.path);
    button.addEventListener("click", () => this.#show(path, { focus: true }));
    item.append(button);
    return item;
  }

  #state(path, text) {
    const mode = MODES[path.split(".").at(-1)]?.();
    const tell = (name) => ({ preventDefault: true, run: () => this.dispatchEvent(new Event(name)) });
    return EditorState.create({
      doc: text,
      extensions: [
        EditorState.phrases.of(this.phrases),
        lineNumbers(), lintGutter(), highlightActiveLine(), highlightActiveLineGutter(), drawSelection(), history(),
        bracketMatching(), indentOnInput(), indentUnit.of(indentOf(text)), search({ top: true }),
        keymap.of([
          { key: "Mod-Enter", ...tell("try") }, { key: "Mod-s", ...tell("save") },
          ...defaultKeymap, ...historyKeymap, ...searchKeymap, indentWithTab,
        ]),
        EditorView.contentAttributes.of({
          "aria-label": fill(this.words.code_of, { path }), "aria-describedby": "keys", tabindex: "0",
        }),
        EditorView.updateListener.of(({ docChanged }) => docChanged && this.#changed()),
        LOOK, syntaxHighlighting(COLOURS), ...(mode ? [mode] : []),
      ],
    });
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }
}

function diagnosticOf({ path, line, column, text, is_error: isError }, doc) {
  const { from, to, text: written } = doc.line(Math.min(Math.max(line, 1), doc.lines));
  const start = column ? indexOfColumn(column, written, path) : written.search(/\S|$/);
  return { from: from + (start < written.length ? start : 0), to, severity: isError ? "error" : "warning", message: text };
}

/** Return what a text is indented by. */
function indentOf(text) {
  if (/^\t/m.test(text)) return "\t";
  return /^ {2}\S/m.test(text) ? "  " : "    ";
}
