// Calls functions of a module: reads a JSON list of [name, arguments] from a file, and prints the list of what they
// return; null for undefined.
// node scripts.mjs MODULE CALLS

import { readFileSync } from "node:fs";
import process from "node:process";

const module = await import(process.argv[2]);
const calls = JSON.parse(readFileSync(process.argv[3], "utf8"));
process.stdout.write(JSON.stringify(calls.map(([name, values]) => module[name](...values) ?? null)));
