"""Kotlin: kotlinc compiles all sources in the root folder of the program's packages; the JVM runs the main class."""

from __future__ import annotations

import re
from functools import partial

from sandbox.languages.java import MAIN_CLASS, PACKAGE_ROOT, jvm_options
from sandbox.languages.language import Language, compile_in_out, shell

BEGINS = re.compile(
    r"^[ \t]*(?:@JvmStatic[ \t]+)?(?:(?:public|private|suspend)[ \t]+)?fun[ \t]+main[ \t]*\(", re.MULTILINE
)
"""A main function that is not commented out."""
KOTLINC = f"""folder=$(dirname "./$1") name=$(basename "$1" .kt)
package=$(sed -nE 's/^[^[:alnum:]@/*]*package[[:space:]]+([^;[:space:]]+).*/\\1/p' "$1" | head -n 1)
case $1 in
*src/main/kotlin/*) folder=./${{1%%src/main/kotlin/*}}src/main/kotlin ;;
*) {PACKAGE_ROOT} ;;
esac
export JAVA_OPTS='-Xmx700m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-PrintWarnings -Duser.home=/tmp'
find "$folder" -path '*/test/*' -prune -o -name '*.kt' -exec kotlinc -nowarn -jvm-target 1.8 -d . {{}} +
[ ! -d "$folder/../resources" ] || cp -r "$folder/../resources/." .
place=$(echo "${{package:+$package.}}" | tr . /) main=
file=$(echo "$name" | sed -E 's/[^[:alnum:]_]/_/g; s/^[0-9]/_&/; s/^./\\U&/')Kt
named=$(sed -nE 's/^@file:JvmName[(]"([^"]+)"[)].*/\\1/p' "$1")
types=$(sed -E '/fun +main *[(]/q' "$1" | grep -oE '(class|object) +[[:alnum:]_]+' | sed 's/.* //') || true
! grep -qE '^((public|private|suspend) +)?fun +main *[(]' "$1" || types=
for class in $types $file $named; do
    [ ! -f "$place$class.class" ] || main=${{package:+$package.}}$class
done
[ "$main" ] || {{
    echo "The file $1 holds no main function." >&2
    exit 1
}}
echo "$main" >{MAIN_CLASS}"""
"""The build script. Folders below ``src/main/kotlin`` may leave out the first packages, as Kotlin's conventions say.
The compiler finishes sooner without the second of the JVM's own compilers. The main class is the one that Kotlin makes
of the file, if its main function stands outside of all classes, or else the last one that is declared before it."""
LIBRARY = """lib=$(readlink -f "$(command -v kotlinc)") lib=${lib%/bin/*}/lib/kotlin-stdlib
"""
START = f"""read -r class </bot/{MAIN_CLASS}
{LIBRARY}exec java "$@" -cp "/bot:$lib.jar:$lib-jdk7.jar:$lib-jdk8.jar" "$class\""""


LANGUAGE = Language(
    name="kotlin",
    packages=("kotlin", "default-jdk-headless"),
    entries=("Main.kt", "main.kt", "Bot.kt", "bot.kt", "Player.kt", "src/Main.kt", "src/main/kotlin/Main.kt"),
    begins=BEGINS,
    skipped=("/test/kotlin/",),
    build=partial(compile_in_out, KOTLINC),
    compiled=True,
    joined=True,
    command=lambda entry, limits: shell(START, *jvm_options(limits)),
    version=shell(f'{LIBRARY}readlink -f "$lib.jar"'),
    compiler="kotlinc",
    selftest={"Main.kt": "fun main() {\n    while (true) println((readLine() ?: return).toLong() + 1)\n}\n"},
)
