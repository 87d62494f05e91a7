// What ESLint checks: every script of ours; those of others lie in folders named "vendor".
const js = require("@eslint/js");
const globals = require("globals");

module.exports = [
  { ignores: [".venv/", "build/", "data/", "static-root/", "**/vendor/"] },
  { ...js.configs.recommended, linterOptions: { reportUnusedDisableDirectives: "error" } },
  { files: ["eslint.config.js", "**/bots/**/*.js"], languageOptions: { sourceType: "commonjs", globals: globals.node } },
  { files: ["**/static/**/*.js"], languageOptions: { sourceType: "script", globals: globals.browser } },
  {
    files: ["**/viewer/**/*.js", "exhibitions/static/**/*.js", "workshop/static/**/*.js"],
    languageOptions: { sourceType: "module", globals: globals.browser },
  },
];
