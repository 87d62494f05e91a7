// Reads a JSON list of [column, line, path] and prints for each what stands in the line from the place on.
// node columns_found.mjs MODULE < places.json

import { readFileSync } from "node:fs";
import process from "node:process";

const { indexOfColumn } = await import(process.argv[2]);
const places = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(places.map(([column, line, path]) => line.slice(indexOfColumn(column, line, path)))));
