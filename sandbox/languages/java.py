"""Java: all sources beside the entry point and below are compiled; its class, in no package, is run."""

from __future__ import annotations

from pathlib import PurePosixPath

from sandbox.api import Limits
from sandbox.languages.language import Language, compile_in_out, heap_mib

JAVAC = """folder=$(dirname "./$1") class=$(basename "$1" .java)
find "$folder" -name '*.java' -exec javac -J-Xmx700m -J-XX:+UseSerialGC -encoding UTF-8 -Xlint:-options -d . {} +
[ -f "$class.class" ] || {
    echo "The file $class.java holds no class $class, or names a package; it must not." >&2
    exit 1
}"""
# One thread collects: more of them would be charged to the bot.
COLLECTOR = ("-XX:+UseSerialGC", "-XX:-UsePerfData", "-Xshare:auto")
WARNINGS = ("-Xlog:disable", "-Xlog:all=warning:stderr", "-XX:+DisplayVMOutputToStderr")
"""What the machine has to say goes to standard error: its own choice is standard output, where the bot answers."""


def _class(entry: str) -> str:
    return PurePosixPath(entry).stem


def _build(entry: str) -> tuple[str, ...]:
    return compile_in_out(JAVAC, entry)


def _stack_mib(limits: Limits) -> int:
    """Return how large a stack may grow: when it is full the machine takes four times as much to tell so.

    With more, who recurses for ever would be ended for memory instead of being told where.
    """
    return limits.memory_mib // 8


def _command(entry: str, limits: Limits) -> tuple[str, ...]:
    sizes = (f"-Xmx{heap_mib(limits)}m", f"-Xss{_stack_mib(limits)}m")
    return ("/usr/bin/java", *sizes, *COLLECTOR, *WARNINGS, "-cp", "/bot", _class(entry))


LANGUAGE = Language(
    name="java",
    title="Java",
    packages=("default-jdk-headless",),
    entries=("Main.java", "Bot.java", "src/Main.java", "src/main/java/Main.java"),
    suffixes=(".java",),
    build=_build,
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
