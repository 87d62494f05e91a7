"""Java: all sources are compiled; the entry point's class, named as its file and in no package, is run."""

from __future__ import annotations

from pathlib import PurePosixPath

from sandbox.languages.language import Language, compile_in_out

JAVAC = """find . -name '*.java' > /tmp/sources
javac -J-Xmx700m -J-XX:+UseSerialGC -encoding UTF-8 -Xlint:-options -d . @/tmp/sources
[ -f "$1.class" ] || { echo "The file $1.java holds no class $1, or names a package; it must not." >&2; exit 1; }"""
# The machine's memory is what the JVM sees, not the limit: told nothing, it would take a quarter of that and be ended.
# One thread collects: more of them would be charged to the bot.
FLAGS = ("-Xmx160m", "-Xss64m", "-XX:+UseSerialGC", "-XX:-UsePerfData", "-Xshare:auto")


def _class(entry: str) -> str:
    return PurePosixPath(entry).stem


def _build(entry: str) -> tuple[str, ...]:
    return compile_in_out(JAVAC, _class(entry))


def _command(entry: str) -> tuple[str, ...]:
    return ("/usr/bin/java", *FLAGS, "-cp", "/bot", _class(entry))


LANGUAGE = Language(
    name="java",
    title="Java",
    packages=("default-jdk-headless",),
    entries=("Main.java", "Bot.java"),
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
