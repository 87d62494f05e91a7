// What ESLint checks: every script of ours; those of others lie in folders named "vendor".
const js = require("@eslint/js");
const globals = require("globals");

module.exports = [
  { ignores: [".venv/", "build/", "data/", "static-root/", "**/vendor/"] },
  { ...js.configs.recommended, linterOptions: { reportUnusedDisableDirectives: "error" } },
  { files: ["eslint.config.js", "**/bots/**/*.js"], languageOptions: { sourceType: "commonjs", globals: globals.node } },
  // A starter kit hands its author all that there is to decide by, and uses little of it.
  { files: ["**/bots/**/*.js"], rules: { "no-unused-vars": ["error", { args: "none" }] } },
  { files: ["**/static/**/*.js"], languageOptions: { sourceType: "script", globals: globals.browser } },
  {
    files: ["**/viewer/**/*.js", "exhibitions/static/**/*.js", "workshop/static/**/*.js"],
    languageOptions: { sourceType: "module", globals: globals.browser },
  },
];
