"""Java: javac compiles all sources in the root folder of the entry point's packages; the JVM runs the main class."""

from __future__ import annotations

import re
from functools import partial

from sandbox.api import Limits
from sandbox.languages.language import Language, compile_in_out, heap_mib, shell

MAIN_CLASS = ".main-class"
"""The file in which the build step stores the name of the main class."""
TYPE = "(class|enum|interface|record)[[:space:]]+[^[:space:]{<(]+"

BEGINS = re.compile(
    r"^(?![ \t]*(?://|/?\*)).*\b(?:public\s+static|static\s+public)\s+(?:final\s+)?void\s+main\s*\(", re.MULTILINE
)
"""A main function that is not commented out."""
PACKAGE_ROOT = """rest=$package
while [ "${rest##*.}" = "${folder##*/}" ]; do
    folder=${folder%/*} rest=${rest%"${rest##*.}"} rest=${rest%.}
done"""
"""Shared with Kotlin: leads from the ``folder`` of a source to the root folder of the packages of its ``package``."""
JAVAC = f"""mark=$(printf '\\357\\273\\277')
grep -rl --include='*.java' "^$mark" . | while IFS= read -r source; do
    [ "$(head -c 3 "$source")" != "$mark" ] || {{ tail -c +4 "$source" >/tmp/source; cat /tmp/source >"$source"; }}
done
folder=$(dirname "./$1") name=$(basename "$1" .java)
package=$(sed -nE 's/^[[:space:]]*package[[:space:]]+([^;[:space:]]+)[[:space:]]*;.*/\\1/p' "$1" | head -n 1)
{PACKAGE_ROOT}
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
"""The build script. It removes byte-order marks, which editors on Windows write and javac refuses.
If the entry point belongs to a package, sources are all files below the root folder of its packages. The main class is
the one named like the file, or else the last one that is declared before the main function. A folder "resources" beside
that root folder is copied to the class path, as Maven, Gradle and IntelliJ do."""
START = f"""read -r class </bot/{MAIN_CLASS}
exec java "$@" -cp /bot "$class\""""
# One thread collects garbage, since the time of more threads would be charged to the bot.
COLLECTOR = ("-XX:+UseSerialGC", "-XX:-UsePerfData", "-Xshare:auto")
WARNINGS = ("-Xlog:disable", "-Xlog:all=warning:stderr", "-XX:+DisplayVMOutputToStderr")
"""Options that send messages of the JVM to standard error. By default they go to standard output, like answers."""


def jvm_options(limits: Limits) -> tuple[str, ...]:
    """Return the options with which the JVM runs a bot."""
    # The JVM needs four times a full stack to report it. With a larger stack, endless recursion would end at the memory
    # limit, without a stack trace for the author.
    sizes = (f"-Xmx{heap_mib(limits)}m", f"-Xss{limits.memory_mib // 8}m")
    return (*sizes, *COLLECTOR, *WARNINGS)


def _command(entry: str, limits: Limits) -> tuple[str, ...]:
    return shell(START, *jvm_options(limits))


LANGUAGE = Language(
    name="java",
    packages=("default-jdk-headless",),
    entries=("Main.java", "Bot.java", "src/Main.java", "src/main/java/Main.java"),
    begins=BEGINS,
    skipped=("/test/java/",),  # as in projects of Maven and Gradle
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
