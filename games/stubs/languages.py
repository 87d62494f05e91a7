"""Writes programs of stubs, one class for each language."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import ClassVar

from games.stubs import Reference, Variable
from games.stubs.writer import INDICES, CurlyWriter, Writer, camel_case, quoted

ABOUT = "A bot for {title}: it reads all input and gives a legal answer. What it answers is yours to decide."


class Python(Writer):
    """Writes Python."""

    file = "main.py"
    comment = "#"
    strategy = "Your strategy goes here. Standard output is the answer: debug with print(.., file=sys.stderr)."
    _OF: ClassVar[dict[str, str]] = {"int": "int({})", "float": "float({})", "word": "{}", "line": "{}"}

    def whole(self, title: str, introduction: str, turn: str) -> str:
        """Return the program."""
        head = f"# {ABOUT.format(title=title)}\nimport sys\n\n\n"
        reader = (
            "def read_line():\n"
            '    """Return the next line of input; end the program with the match."""\n'
            "    line = sys.stdin.readline()\n"
            "    if not line:\n"
            "        sys.exit()\n"
            '    return line.rstrip("\\n")\n\n\n'
        )
        loop = f"    while True:  # a turn each\n{turn}\n"
        return f"{head}{reader}def main():\n{introduction}\n{loop}\n\nmain()\n".replace("main():\n\n", "main():\n")

    def read(self, variables: Sequence[Variable], depth: int) -> list[str]:
        """Return the statements that read a line."""
        if len(variables) == 1:
            return [self._kept(variables[0], depth, "read_line()")]
        kinds = {variable.kind for variable in variables}
        if depth or len(kinds) > 1:
            kept = [self._kept(variable, depth, f"words[{at}]") for at, variable in enumerate(variables)]
            return ["words = read_line().split()", *kept]
        names = ", ".join(map(self.name, variables))
        kind = kinds.pop()
        return [f"{names} = {'read_line().split()' if kind == 'word' else f'map({kind}, read_line().split())'}"]

    def _kept(self, variable: Variable, depth: int, text: str) -> str:
        value = self._OF[variable.kind].format(text)
        return f"{self.place(variable, depth - 1)}.append({value})" if depth else f"{variable.name} = {value}"

    def write(self, parts: Sequence[str | Reference]) -> str:
        """Return the statement that writes a line."""
        if all(isinstance(part, str) for part in parts) or len(parts) == 1:
            return f"print({''.join(self.texts(parts))}, flush=True)"
        texts = [quoted(part) if isinstance(part, str) else f"{{{self.value(part)}}}" for part in parts]
        return f'print(f"{"".join(texts)}", flush=True)'

    def repeated(self, variables: Sequence[Variable], depth: int, count: str, inner: list[str]) -> list[str]:
        """Return a loop; a list comprehension for a single list that is filled with single values."""
        if depth or len(variables) != 1 or len(inner) != 1:
            return super().repeated(variables, depth, count, inner)
        name = variables[0].name
        return [f"{name} = [{inner[0].removeprefix(f'{name}.append(')[:-1]} for _ in range({count})]"]

    def lists(self, variables: Sequence[Variable], depth: int, count: str) -> list[str]:
        """Return the statements that make empty lists."""
        if depth:
            return [f"{self.place(variable, depth - 1)}.append([])" for variable in variables]
        return [f"{variable.name} = []" for variable in variables]

    def loop(self, index: str, count: str, inner: list[str]) -> list[str]:
        """Return a loop."""
        return [f"for {_used(index, inner)} in range({count}):", *self.indented(inner)]


class Cpp(CurlyWriter):
    """Writes C++."""

    file = "main.cpp"
    strategy = "Your strategy goes here. Standard output is the answer: debug with cerr << .. << endl."
    _TYPES: ClassVar[dict[str, str]] = {"int": "int", "float": "double", "word": "string", "line": "string"}

    def whole(self, title: str, introduction: str, turn: str) -> str:
        """Return the program."""
        includes = ["cstdlib", "iostream", "sstream", "string", "vector"]
        head = "\n".join([f"// {ABOUT.format(title=title)}", *(f"#include <{name}>" for name in includes)])
        return (
            f"{head}\n\nusing namespace std;\n\n"
            "// Returns the next line of input; ends the program with the match.\n"
            "string read_line() {\n"
            "    string line;\n"
            "    if (!getline(cin, line)) exit(0);\n"
            "    return line;\n"
            "}\n\n"
            f"int main() {{\n{introduction}\n    while (true) {{  // a turn each\n{turn}\n    }}\n}}\n"
        ).replace("main() {\n\n", "main() {\n")

    def read(self, variables: Sequence[Variable], depth: int) -> list[str]:
        """Return the statements that read a line."""
        if variables[0].kind == "line":
            return [f"{'' if depth else 'string '}{self.place(variables[0], depth)} = read_line();"]
        places = " >> ".join(self.place(variable, depth) for variable in variables)
        declared = [] if depth else [f"{kind} {names};" for kind, names in _by_kind(self._TYPES, variables)]
        return [*declared, f"istringstream(read_line()) >> {places};"]

    def write(self, parts: Sequence[str | Reference]) -> str:
        """Return the statement that writes a line; endl flushes."""
        return f"cout << {' << '.join(self.texts(parts))} << endl;"

    def lists(self, variables: Sequence[Variable], depth: int, count: str) -> list[str]:
        """Return the statements that make lists of the right size."""
        if depth:
            return [f"{self.place(variable, depth)}.resize({count});" for variable in variables]
        lines = []
        for variable in variables:
            kind = self._TYPES[variable.kind]
            for _ in variable.loops:
                kind = f"vector<{kind}>"
            lines.append(f"{kind} {variable.name}({count});")
        return lines


class Java(CurlyWriter):
    """Writes Java."""

    file = "Main.java"
    turn_indent = 3
    strategy = "Your strategy goes here. Standard output is the answer: debug with System.err.println(..)."
    _TYPES: ClassVar[dict[str, str]] = {"int": "int", "float": "double", "word": "String", "line": "String"}
    _OF: ClassVar[dict[str, str]] = {
        "int": "Integer.parseInt({})",
        "float": "Double.parseDouble({})",
        "word": "{}",
        "line": "{}",
    }
    _LINE: ClassVar[str] = "readLine()"
    _WORDS: ClassVar[str] = 'readLine().split(" ")'
    _PRINT: ClassVar[str] = "System.out.println"

    def name(self, variable: Variable) -> str:
        """Return the name in Java's way."""
        return camel_case(variable.name)

    def whole(self, title: str, introduction: str, turn: str) -> str:
        """Return the program."""
        words = "        String[] words;\n" if "words = " in introduction + turn else ""
        return (
            f"// {ABOUT.format(title=title)}\n"
            "import java.io.BufferedReader;\nimport java.io.IOException;\nimport java.io.InputStreamReader;\n\n"
            "public class Main {\n"
            "    static final BufferedReader input = new BufferedReader(new InputStreamReader(System.in));\n\n"
            "    /** Returns the next line of input; ends the program with the match. */\n"
            "    static String readLine() throws IOException {\n"
            "        String line = input.readLine();\n"
            "        if (line == null) System.exit(0);\n"
            "        return line;\n"
            "    }\n\n"
            "    public static void main(String[] args) throws IOException {\n"
            f"{words}{introduction}\n        while (true) {{  // a turn each\n{turn}\n        }}\n    }}\n}}\n"
        ).replace("IOException {\n\n", "IOException {\n")

    def read(self, variables: Sequence[Variable], depth: int) -> list[str]:
        """Return the statements that read a line."""
        if len(variables) == 1:
            return [self._kept(variables[0], depth, self._LINE)]
        kept = [self._kept(variable, depth, f"words[{at}]") for at, variable in enumerate(variables)]
        return [f"words = {self._WORDS};", *kept]

    def _kept(self, variable: Variable, depth: int, text: str) -> str:
        declared = "" if depth else f"{self._TYPES[variable.kind]} "
        return f"{declared}{self.place(variable, depth)} = {self._OF[variable.kind].format(text)};"

    def write(self, parts: Sequence[str | Reference]) -> str:
        """Return the statement that writes a line and flushes it."""
        texts = self.texts(parts)
        if len(parts) > 1 and not any(isinstance(part, str) for part in parts[:2]):
            texts = ['""', *texts]  # else + would add numbers
        return f"{self._PRINT}({' + '.join(texts)});"

    def lists(self, variables: Sequence[Variable], depth: int, count: str) -> list[str]:
        """Return the statements that make arrays."""
        lines = []
        for variable in variables:
            kind, inner = self._TYPES[variable.kind], "[]" * (len(variable.loops) - depth - 1)
            declared = "" if depth else f"{kind}{'[]' * len(variable.loops)} "
            lines.append(f"{declared}{self.place(variable, depth)} = new {kind}[{count}]{inner};")
        return lines


class CSharp(Java):
    """Writes C#."""

    file = "Main.cs"
    strategy = "Your strategy goes here. Standard output is the answer: debug with Console.Error.WriteLine(..)."
    _TYPES: ClassVar[dict[str, str]] = {"int": "int", "float": "double", "word": "string", "line": "string"}
    _OF: ClassVar[dict[str, str]] = {
        "int": "int.Parse({})",
        "float": "double.Parse({}, CultureInfo.InvariantCulture)",
        "word": "{}",
        "line": "{}",
    }
    _LINE: ClassVar[str] = "ReadLine()"
    _WORDS: ClassVar[str] = "ReadLine().Split(' ')"
    _PRINT: ClassVar[str] = "Console.WriteLine"

    def whole(self, title: str, introduction: str, turn: str) -> str:
        """Return the program."""
        words = "        string[] words;\n" if "words = " in introduction + turn else ""
        culture = "using System.Globalization;\n" if "CultureInfo" in introduction + turn else ""
        return (
            f"// {ABOUT.format(title=title)}\n"
            f"using System;\n{culture}\n"
            "static class Player\n{\n"
            "    /// <summary>Returns the next line of input; ends the program with the match.</summary>\n"
            "    static string ReadLine()\n    {\n"
            "        string line = Console.ReadLine();\n"
            "        if (line == null) Environment.Exit(0);\n"
            "        return line;\n"
            "    }\n\n"
            "    static void Main()\n    {\n"
            f"{words}{introduction}\n        while (true)\n        {{  // a turn each\n{turn}\n        }}\n    }}\n}}\n"
        ).replace("Main()\n    {\n\n", "Main()\n    {\n")


class JavaScript(CurlyWriter):
    """Writes JavaScript for Node."""

    file = "main.js"
    strategy = "Your strategy goes here. Standard output is the answer: debug with console.error(..)."
    _OF: ClassVar[dict[str, str]] = {"int": "Number({})", "float": "Number({})", "word": "{}", "line": "{}"}

    def name(self, variable: Variable) -> str:
        """Return the name in JavaScript's way."""
        return camel_case(variable.name)

    def whole(self, title: str, introduction: str, turn: str) -> str:
        """Return the program."""
        words = "    let words;\n" if "words = " in introduction + turn else ""
        return (
            f'// {ABOUT.format(title=title)}\n"use strict";\n\n'
            "// Each `yield` waits for the next line of input.\n"
            f"function* play() {{\n{words}{introduction}\n    for (;;) {{  // a turn each\n{turn}\n    }}\n}}\n\n"
            "const player = play();\nplayer.next();\n"
            'require("readline").createInterface({ input: process.stdin })'
            '.on("line", (line) => player.next(line));\n'
        ).replace("play() {\n\n", "play() {\n")

    def read(self, variables: Sequence[Variable], depth: int) -> list[str]:
        """Return the statements that read a line."""
        if len(variables) == 1:
            return [self._kept(variables[0], depth, "yield")]
        kinds = {variable.kind for variable in variables}
        if not depth and (kinds == {"word"} or "word" not in kinds):
            names = ", ".join(map(self.name, variables))
            return [f'const [{names}] = (yield).split(" "){"" if kinds == {"word"} else ".map(Number)"};']
        kept = [self._kept(variable, depth, f"words[{at}]") for at, variable in enumerate(variables)]
        return ['words = (yield).split(" ");', *kept]

    def _kept(self, variable: Variable, depth: int, text: str) -> str:
        value = self._OF[variable.kind].format(text)
        return (
            f"{self.place(variable, depth - 1)}.push({value});" if depth else f"const {self.name(variable)} = {value};"
        )

    def write(self, parts: Sequence[str | Reference]) -> str:
        """Return the statement that writes a line."""
        if all(isinstance(part, str) for part in parts) or len(parts) == 1:
            return f"console.log({''.join(self.texts(parts))});"
        texts = [_template(part) if isinstance(part, str) else f"${{{self.value(part)}}}" for part in parts]
        return f"console.log(`{''.join(texts)}`);"

    def lists(self, variables: Sequence[Variable], depth: int, count: str) -> list[str]:
        """Return the statements that make empty arrays."""
        if depth:
            return [f"{self.place(variable, depth - 1)}.push([]);" for variable in variables]
        return [f"const {self.name(variable)} = [];" for variable in variables]

    def loop(self, index: str, count: str, inner: list[str]) -> list[str]:
        """Return a loop."""
        return self.closed(f"for (let {index} = 0; {index} < {count}; {index}++)", inner)


class TypeScript(JavaScript):
    """Writes TypeScript for Node."""

    file = "main.ts"
    _TYPES: ClassVar[dict[str, str]] = {"int": "number", "float": "number", "word": "string", "line": "string"}

    def whole(self, title: str, introduction: str, turn: str) -> str:
        """Return the program."""
        words = "    let words: string[];\n" if "words = " in introduction + turn else ""
        return (
            f'// {ABOUT.format(title=title)}\nimport {{ createInterface }} from "readline";\n\n'
            "// Each `yield` waits for the next line of input.\n"
            "function* play(): Generator<undefined, void, string> {\n"
            f"{words}{introduction}\n    for (;;) {{  // a turn each\n{turn}\n    }}\n}}\n\n"
            "const player = play();\nplayer.next();\n"
            'createInterface({ input: process.stdin }).on("line", (line: string) => player.next(line));\n'
        ).replace("string> {\n\n", "string> {\n")

    def lists(self, variables: Sequence[Variable], depth: int, count: str) -> list[str]:
        """Return the statements that make empty arrays."""
        if depth:
            return super().lists(variables, depth, count)
        kinds = [self._TYPES[variable.kind] + "[]" * len(variable.loops) for variable in variables]
        return [f"const {self.name(variable)}: {kind} = [];" for variable, kind in zip(variables, kinds, strict=True)]


class Kotlin(CurlyWriter):
    """Writes Kotlin."""

    file = "Main.kt"
    strategy = "Your strategy goes here. Standard output is the answer: debug with System.err.println(..)."
    _TYPES: ClassVar[dict[str, str]] = {"int": "Int", "float": "Double", "word": "String", "line": "String"}
    _OF: ClassVar[dict[str, str]] = {"int": ".toInt()", "float": ".toDouble()", "word": "", "line": ""}

    def name(self, variable: Variable) -> str:
        """Return the name in Kotlin's way."""
        return camel_case(variable.name)

    def whole(self, title: str, introduction: str, turn: str) -> str:
        """Return the program; println flushes each line."""
        words = "    var words: List<String>\n" if "words = " in introduction + turn else ""
        return (
            f"// {ABOUT.format(title=title)}\n"
            "import kotlin.system.exitProcess\n\n"
            "/** Returns the next line of input; ends the program with the match. */\n"
            "fun nextLine(): String = readLine() ?: exitProcess(0)\n\n"
            f"fun main() {{\n{words}{introduction}\n    while (true) {{  // a turn each\n{turn}\n    }}\n}}\n"
        ).replace("main() {\n\n", "main() {\n")

    def read(self, variables: Sequence[Variable], depth: int) -> list[str]:
        """Return the statements that read a line."""
        if len(variables) == 1:
            return [self._kept(variables[0], depth, "nextLine()")]
        kept = [self._kept(variable, depth, f"words[{at}]") for at, variable in enumerate(variables)]
        return ['words = nextLine().split(" ")', *kept]

    def _kept(self, variable: Variable, depth: int, text: str) -> str:
        value = text + self._OF[variable.kind]
        return f"{self.place(variable, depth - 1)}.add({value})" if depth else f"val {self.name(variable)} = {value}"

    def write(self, parts: Sequence[str | Reference]) -> str:
        """Return the statement that writes a line."""
        if len(parts) == 1 and isinstance(parts[0], Reference):
            return f"println({self.value(parts[0])})"
        texts = [
            quoted(part).replace("$", r"\$") if isinstance(part, str) else f"${{{self.value(part)}}}" for part in parts
        ]
        return f'println("{"".join(texts)}")'

    def lists(self, variables: Sequence[Variable], depth: int, count: str) -> list[str]:
        """Return the statements that make empty lists."""
        if depth:
            return [f"{self.place(variable, depth - 1)}.add(mutableListOf())" for variable in variables]
        lines = []
        for variable in variables:
            kind = self._TYPES[variable.kind]
            for _ in variable.loops[1:]:
                kind = f"MutableList<{kind}>"
            lines.append(f"val {self.name(variable)} = mutableListOf<{kind}>()")
        return lines

    def loop(self, index: str, count: str, inner: list[str]) -> list[str]:
        """Return a loop."""
        return self.closed(f"for ({index} in 0 until {count})", inner)


class Php(CurlyWriter):
    """Writes PHP."""

    file = "main.php"
    turn_indent = 1
    strategy = "Your strategy goes here. Standard output is the answer: debug with error_log(..)."
    _OF: ClassVar[dict[str, str]] = {"int": "(int) {}", "float": "(float) {}", "word": "{}", "line": "{}"}

    def name(self, variable: Variable) -> str:
        """Return the name as PHP writes variables."""
        return f"${variable.name}"

    def place(self, variable: Variable, depth: int) -> str:
        """Return the name of a value with the indices of ``depth`` loops."""
        return self.name(variable) + "".join(f"[${index}]" for index in INDICES[:depth])

    def whole(self, title: str, introduction: str, turn: str) -> str:
        """Return the program; echo keeps nothing back."""
        return (
            f"<?php\n// {ABOUT.format(title=title)}\n\n"
            "/** Returns the next line of input; ends the program with the match. */\n"
            "function read_line(): string\n{\n"
            "    $line = fgets(STDIN);\n"
            "    if ($line === false) exit;\n"
            '    return rtrim($line, "\\n");\n'
            "}\n\n"
            f"{introduction}\nwhile (true) {{  // a turn each\n{turn}\n}}\n"
        ).replace("}\n\n\n", "}\n\n")

    def read(self, variables: Sequence[Variable], depth: int) -> list[str]:
        """Return the statements that read a line."""
        if len(variables) == 1:
            return [self._kept(variables[0], depth, "read_line()")]
        if not depth and {variable.kind for variable in variables} == {"int"}:
            names = ", ".join(map(self.name, variables))
            return [f'[{names}] = array_map("intval", explode(" ", read_line()));']
        kept = [self._kept(variable, depth, f"$words[{at}]") for at, variable in enumerate(variables)]
        return ['$words = explode(" ", read_line());', *kept]

    def _kept(self, variable: Variable, depth: int, text: str) -> str:
        place = f"{self.place(variable, depth - 1)}[]" if depth else self.name(variable)
        return f"{place} = {self._OF[variable.kind].format(text)};"

    def write(self, parts: Sequence[str | Reference]) -> str:
        """Return the statement that writes a line."""
        texts = [
            quoted(part).replace("$", r"\$") if isinstance(part, str) else f"{{{self.value(part)}}}" for part in parts
        ]
        return f'echo "{"".join(texts)}\\n";'

    def lists(self, variables: Sequence[Variable], depth: int, count: str) -> list[str]:
        """Return the statements that make empty arrays."""
        if depth:
            return [f"{self.place(variable, depth - 1)}[] = [];" for variable in variables]
        return [f"{self.name(variable)} = [];" for variable in variables]

    def loop(self, index: str, count: str, inner: list[str]) -> list[str]:
        """Return a loop."""
        return self.closed(f"for (${index} = 0; ${index} < {count}; ${index}++)", inner)


class Rust(CurlyWriter):
    """Writes Rust."""

    file = "main.rs"
    strategy = "Your strategy goes here. Standard output is the answer: debug with eprintln!(..)."
    _TYPES: ClassVar[dict[str, str]] = {"int": "i32", "float": "f64", "word": "String", "line": "String"}

    def whole(self, title: str, introduction: str, turn: str) -> str:
        """Return the program; println! flushes each line."""
        words = (
            "fn read_words() -> Vec<String> {\n    read_line().split_whitespace().map(str::to_string).collect()\n}\n\n"
            if "read_words()" in introduction + turn
            else ""
        )
        return (
            f"// {ABOUT.format(title=title)}\n"
            "#![allow(unused_variables)] // until you use all of the input\n"
            "use std::{io, process};\n\n"
            "/// Returns the next line of input; ends the program with the match.\n"
            "fn read_line() -> String {\n"
            "    let mut line = String::new();\n"
            "    if io::stdin().read_line(&mut line).unwrap() == 0 {\n"
            "        process::exit(0);\n"
            "    }\n"
            "    line.trim_end_matches('\\n').to_string()\n"
            "}\n\n"
            f"{words}fn main() {{\n{introduction}\n    loop {{\n        // a turn each\n{turn}\n    }}\n}}\n"
        ).replace("main() {\n\n", "main() {\n")

    def read(self, variables: Sequence[Variable], depth: int) -> list[str]:
        """Return the statements that read a line."""
        if len(variables) == 1:
            return [self._kept(variables[0], depth, "read_line()", "")]
        kept = [self._kept(variable, depth, f"words[{at}]", ".clone()") for at, variable in enumerate(variables)]
        return ["let words = read_words();", *kept]

    def _kept(self, variable: Variable, depth: int, text: str, owned: str) -> str:
        value = text + (".parse().unwrap()" if variable.kind in ("int", "float") else owned)
        if depth:
            return f"{self.place(variable, depth - 1)}.push({value});"
        return f"let {variable.name}: {self._TYPES[variable.kind]} = {value};"

    def write(self, parts: Sequence[str | Reference]) -> str:
        """Return the statement that writes a line."""
        text = "".join(
            quoted(part).replace("{", "{{").replace("}", "}}") if isinstance(part, str) else "{}" for part in parts
        )
        values = [f", {self.value(part)}" for part in parts if isinstance(part, Reference)]
        return f'println!("{text}"{"".join(values)});'

    def lists(self, variables: Sequence[Variable], depth: int, count: str) -> list[str]:
        """Return the statements that make empty vectors."""
        if depth:
            return [f"{self.place(variable, depth - 1)}.push(Vec::new());" for variable in variables]
        lines = []
        for variable in variables:
            kind = self._TYPES[variable.kind]
            for _ in variable.loops:
                kind = f"Vec<{kind}>"
            lines.append(f"let mut {variable.name}: {kind} = Vec::new();")
        return lines

    def loop(self, index: str, count: str, inner: list[str]) -> list[str]:
        """Return a loop."""
        limit = count if count.isdecimal() else f"{count} as usize"
        return self.closed(f"for {_used(index, inner)} in 0..{limit}", inner)


WRITERS: dict[str, Writer] = {
    "python": Python(),
    "cpp": Cpp(),
    "csharp": CSharp(),
    "java": Java(),
    "kotlin": Kotlin(),
    "javascript": JavaScript(),
    "typescript": TypeScript(),
    "rust": Rust(),
    "php": Php(),
}
"""The writers by language, as ``sandbox.languages`` calls them."""


def _used(index: str, lines: Sequence[str]) -> str:
    """Return the name of a loop's index; ``_`` if the loop does not use it."""
    return index if any(f"[{index}]" in line for line in lines) else "_"


def _by_kind(types: Mapping[str, str], variables: Sequence[Variable]) -> Iterator[tuple[str, str]]:
    """Yield types with the names of all variables in a row that have them."""
    for kind, group in groupby(variables, lambda variable: types[variable.kind]):
        yield kind, ", ".join(variable.name for variable in group)


def _template(text: str) -> str:
    """Return a text for within a template of JavaScript."""
    return re.sub(r"([`$\\])", r"\\\1", text)
