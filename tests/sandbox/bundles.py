"""A bundle in each language, of several files, some of them data or a build file. Its program answers N with N + 2.

The program in Go does so only if its runtime knows the memory limit.
"""

from __future__ import annotations

BUNDLES: dict[str, dict[str, str]] = {
    "python": {
        "main.py": "from lib.step import STEP\nwhile True:\n    print(int(input()) + STEP)\n",
        "lib/step.py": "STEP = int(open('step.txt').read())\n",
        "step.txt": "2",
    },
    "c": {
        "Makefile": "bot: main.c step.c\n\t$(CC) -O2 -o $@ $^\n",
        "main.c": '#include <stdio.h>\n#include "step.h"\nint main(void) {\n    long n;\n'
        '    while (scanf("%ld", &n) == 1) { printf("%ld\\n", step(n)); fflush(stdout); }\n}\n',
        "step.c": '#include "step.h"\nlong step(long n) { return n + 2; }\n',
        "step.h": "long step(long n);\n",
    },
    "cpp": {
        "Makefile": "bot: src/main.cpp inc/step.hpp\n\t$(CXX) -std=c++20 -Iinc -o $@ $<\n",
        "src/main.cpp": '#include <iostream>\n#include "step.hpp"\n'
        "int main() { for (long n; std::cin >> n;) std::cout << step(n) << std::endl; }\n",
        "inc/step.hpp": "constexpr long step(long n) { return n + 2; }\n",
    },
    "csharp": {
        "Bot/Bot.cs": "using System;\nusing System.IO;\nusing Steps;\nnamespace Bot {\n    static class Program {\n"
        '        static void Main(string[] args) {\n            var step = new Step(File.ReadAllText("step.txt"));\n'
        "            string line;\n            while ((line = Console.ReadLine()) != null)\n"
        "                Console.WriteLine(step.Of(long.Parse(line)));\n"
        "        }\n    }\n}\n",
        "Bot/Steps/a 'step' –.cs": "\ufeffusing System.Linq;\nusing System.Numerics;\nnamespace Steps {\n"
        "    class Step {\n        readonly BigInteger size;\n"
        "        public Step(string text) { size = text.Select(digit => digit - '0').Sum(); }\n"
        "        public BigInteger Of(long n) { return n + size; }\n    }\n}\n",
        "Bot/obj/Debug/Bot.AssemblyInfo.cs": "class Program { static void Main() {} } // made by dotnet\n",
        "step.txt": "2",
    },
    "java": {
        "src/main/java/com/me/bot/Main.java": "package com.me.bot;\nimport com.me.lib.Step;\n"
        "import java.util.Scanner;\nfinal class Main {\n"
        "    public static void main(String[] args) {\n        Scanner in = new Scanner(System.in);\n"
        "        while (in.hasNextLong()) System.out.println(Step.step(in.nextLong()));\n    }\n}\n",
        "src/main/java/com/me/lib/Step.java": "package com.me.lib;\n"
        "public class Step { public static long step(long n) { return Two.TWO + n; } }\n",
        "src/main/java/com/me/lib/a 'step' –.java": "package com.me.lib;\n"
        "class Two {\n    static final long TWO;\n    static {\n"
        '        try (var file = Two.class.getResourceAsStream("two.txt")) {\n'
        "            TWO = Long.parseLong(new String(file.readAllBytes()));\n"
        "        } catch (java.io.IOException error) {\n            throw new RuntimeException(error);\n        }\n"
        "    }\n}\n",
        "src/main/resources/com/me/lib/two.txt": "2",
        "src/test/java/com/me/bot/Main.java": "import org.junit.Test;\n"
        "public class Main { public static void main(String[] args) {} }\n",
    },
    "kotlin": {
        "src/main/kotlin/bot/Player.kt": "\ufeffpackage com.me.bot\nimport com.me.lib.*\n"
        "private class Board\n\nobject Player {\n    @JvmStatic\n    fun main(args: Array<String>) {\n"
        "        while (true) println(step((readLine() ?: return).toLong()))\n    }\n}\n",
        "src/main/kotlin/lib/a 'step' –.kt": "package com.me.lib\n"
        'private val TWO = object {}.javaClass.getResource("/com/me/two.txt").readText().toLong()\n'
        "fun step(n: Long): Long = n + TWO\n",
        "src/main/resources/com/me/two.txt": "2",
        "src/test/kotlin/bot/Main.kt": "import org.junit.Test\nfun main() {}\n",
    },
    "javascript": {
        "main.mjs": 'import { createInterface } from "node:readline";\nimport { step } from "./lib/step.mjs";\n'
        'createInterface({ input: process.stdin }).on("line", (line) => console.log(step(Number(line))));\n',
        "lib/step.mjs": 'import { readFileSync } from "node:fs";\n'
        'const size = Number(readFileSync("step.txt"));\nexport const step = (n) => n + size;\n',
        "step.txt": "2",
    },
    "typescript": {
        "src/main.ts": 'import * as fs from "fs";\nimport { createInterface } from "node:readline";\n'
        'import step, { Kind } from "./lib/step";\nimport nothing from "../lib/nothing";\n'
        'const size: number = Number(fs.readFileSync("step.txt")) + nothing;\n'
        'createInterface({ input: process.stdin }).on("line", (line: string) => {\n'
        "    console.log(step(Number(line), size, Kind.Add));\n});\n",
        "src/lib/step.ts": "export enum Kind { Add = 1 }\n"
        "export default (n: number, size: number, kind: Kind): number => n + size * kind;\n",
        "lib/nothing.js": "module.exports = 0;\n",
        "package.json": '{"type": "module", "scripts": {"build": "tsc"}}',
        "tsconfig.json": '{"extends": "@tsconfig/node20/tsconfig.json", "compilerOptions": {"noEmit": true}}',
        "step.txt": "2",
    },
    "rust": {
        "src/main.rs": "mod step;\nuse std::io::BufRead;\n"
        "fn main() {\n    for line in std::io::stdin().lock().lines() {\n"
        '        println!("{}", step::step(line.unwrap().trim().parse().unwrap()));\n    }\n}\n',
        "src/step.rs": 'pub fn step(n: i64) -> i64 { n + include_str!("step.txt").trim().parse::<i64>().unwrap() }\n',
        "src/step.txt": "2",
    },
    "go": {
        "go.mod": "module mine\n\ngo 1.19.0\n\ntoolchain go1.22.3\n",
        "main.go": 'package main\n\nimport (\n\t"fmt"\n\n\t"mine/bot"\n)\n\nfunc main() {\n\tvar n int\n\tfor {\n'
        "\t\tif _, err := fmt.Scan(&n); err != nil {\n\t\t\treturn\n\t\t}\n\t\tfmt.Println(bot.Step(n))\n\t}\n}\n",
        "bot/step.go": 'package bot\n\nimport "runtime/debug"\n\nfunc Step(n int) int {\n'
        "\tif debug.SetMemoryLimit(-1) > 256<<20 {\n\t\treturn 0\n\t}\n\treturn n + 2\n}\n",
    },
    "php": {
        "main.php": "<?php\nrequire 'lib/step.php';\n"
        "while (fscanf(STDIN, '%d', $n) === 1) echo Lib\\step($n), PHP_EOL;\n",
        "lib/step.php": "<?php\nnamespace Lib;\n"
        "function step(int $n): int { return $n + mb_strlen(trim(file_get_contents('step.txt'))); }\n",
        "step.txt": "éé\n",
    },
    "ruby": {
        "main.rb": 'require_relative "lib/step"\n$stdout.sync = true\nwhile line = gets\n  puts step(line.to_i)\nend\n',
        "lib/step.rb": "def step(n) = n + 2\n",
    },
}
