"""Java: all sources beside the entry point and below are compiled, from where its packages lie; its class is run."""

from __future__ import annotations

import re
from functools import partial
from pathlib import PurePosixPath

from sandbox.api import Limits
from sandbox.languages.language import Language, compile_in_out, heap_mib, shell

MAIN_CLASS = ".main-class"
"""Where the build tells which class is run."""
TYPE = "(class|enum|interface|record)[[:space:]]+[^[:space:]{<(]+"

BEGINS = re.compile(
    r"^(?![ \t]*(?://|/?\*)).*\b(?:public\s+static|static\s+public)\s+(?:final\s+)?void\s+main\s*\(", re.MULTILINE
)
"""A main function that is not commented out."""
JAVAC = f"""mark=$(printf '\\357\\273\\277')
grep -rl --include='*.java' "^$mark" . | while IFS= read -r source; do
    [ "$(head -c 3 "$source")" != "$mark" ] || {{ tail -c +4 "$source" >/tmp/source; cat /tmp/source >"$source"; }}
done
folder=$(dirname "./$1") name=$(basename "$1" .java)
package=$(sed -nE 's/^[[:space:]]*package[[:space:]]+([^;[:space:]]+)[[:space:]]*;.*/\\1/p' "$1" | head -n 1)
rest=$package
while [ "${{rest##*.}}" = "${{folder##*/}}" ]; do
    folder=${{folder%/*}} rest=${{rest%"${{rest##*.}}"}} rest=${{rest%.}}
done
find "$folder" -name '*.java' -exec javac -J-Xmx700m -J-XX:+UseSerialGC -encoding UTF-8 -Xlint:-options -d . {{}} +
[ ! -d "$folder/../resources" ] || cp -r "$folder/../resources/." .
place=$(echo "${{package:+$package.}}" | tr . /) main=
for class in $(sed '/void *main *[(]/q' "$1" | grep -oE '{TYPE}' | sed 's/.*[[:space:]]//') "$name"; do
    [ ! -f "$place$class.class" ] || main=${{package:+$package.}}$class
done
[ "$main" ] || {{
    echo "The file $1 holds no class with a main function." >&2
    exit 1
}}
echo "$main" >{MAIN_CLASS}"""
"""Editors of Windows put a byte-order mark before the text, which javac takes for a letter: it is left out.
The entry point may name a package, and its class another name than the file: sources are those below the folder in
which its packages lie, and the class is the file's, or else the last one that is declared before the main function.
A folder "resources" beside that one is on the class path, too, as Maven, Gradle and IntelliJ have it."""
START = f"""class=$1
shift
[ ! -f /bot/{MAIN_CLASS} ] || read -r class </bot/{MAIN_CLASS}
exec java "$@" -cp /bot "$class\""""
"""What was built before the build told has a class of the entry point's name."""
# One thread collects: more of them would be charged to the bot.
COLLECTOR = ("-XX:+UseSerialGC", "-XX:-UsePerfData", "-Xshare:auto")
WARNINGS = ("-Xlog:disable", "-Xlog:all=warning:stderr", "-XX:+DisplayVMOutputToStderr")
"""What the machine has to say goes to standard error: its own choice is standard output, where the bot answers."""


def _stack_mib(limits: Limits) -> int:
    """Return how large a stack may grow: when it is full the machine takes four times as much to tell so.

    With more, who recurses for ever would be ended for memory instead of being told where.
    """
    return limits.memory_mib // 8


def _command(entry: str, limits: Limits) -> tuple[str, ...]:
    sizes = (f"-Xmx{heap_mib(limits)}m", f"-Xss{_stack_mib(limits)}m")
    return shell(START, PurePosixPath(entry).stem, *sizes, *COLLECTOR, *WARNINGS)


LANGUAGE = Language(
    name="java",
    title="Java",
    packages=("default-jdk-headless",),
    entries=("Main.java", "Bot.java", "src/Main.java", "src/main/java/Main.java"),
    suffixes=(".java",),
    begins=BEGINS,
    build=partial(compile_in_out, JAVAC),
    compiled=True,
    command=_command,
    version=("/usr/bin/javac", "-version"),
    selftest={
        "Main.java": """import java.util.Scanner;
public class Main {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        while (in.hasNextLong()) System.out.println(in.nextLong() + 1);
    }
}
"""
    },
)
