// What the workshop's editor uses of CodeMirror. esbuild makes codemirror.js of this file, see README.md beside it.
export { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
export { javaLanguage } from "@codemirror/lang-java";
export { javascriptLanguage, typescriptLanguage } from "@codemirror/lang-javascript";
export { phpLanguage } from "@codemirror/lang-php";
export { pythonLanguage } from "@codemirror/lang-python";
export {
  bracketMatching, HighlightStyle, indentOnInput, indentUnit, StreamLanguage, syntaxHighlighting,
} from "@codemirror/language";
export { c, cpp, csharp, kotlin } from "@codemirror/legacy-modes/mode/clike";
export { go } from "@codemirror/legacy-modes/mode/go";
export { ruby } from "@codemirror/legacy-modes/mode/ruby";
export { rust } from "@codemirror/legacy-modes/mode/rust";
export { lintGutter, setDiagnostics } from "@codemirror/lint";
export { search, searchKeymap } from "@codemirror/search";
export { Compartment, EditorState } from "@codemirror/state";
export {
  drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers,
} from "@codemirror/view";
export { tags } from "@lezer/highlight";
