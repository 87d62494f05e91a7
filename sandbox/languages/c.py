"""C: gcc compiles all sources in the entry point's folder into one program, unless the bundle has a Makefile."""

from __future__ import annotations

import re
from functools import partial

from sandbox.languages.language import MADE, MAKEFILES, PUT, Language, compile_in_out, compiled_program

BEGINS = re.compile(r"^(?:\w{1,16}[ \t]{1,9}){0,3}main\s{0,9}\(", re.MULTILINE)
"""A main function that is not commented out."""
MAKE_OR = f"""if {" || ".join(f"[ -f {name} ]" for name in MAKEFILES)}; then
    find . -type f '(' -path ./bot -o -name '*.o' -o -name '*.a' ')' -print -delete | sed 's/^/Left out, to be made: /'
    make --always-make
    [ -f bot ] && [ -x bot ] || {{{{ echo 'The Makefile has not made a program named "bot".' >&2; exit 1; }}}}
else
    {{compiler}}
fi"""
"""Shared with C++: builds ``bot`` by the Makefile. Compiled files of the upload are deleted first: the author's machine
made them for another system, and make would take them for up to date, since an archive keeps no times."""
LINES = "/tmp/lines.o"  # noqa: S108 - the sandbox's own /tmp
BY_LINES = f"""gcc -c -O2 -x c -o {LINES} - <<end
#include <stdio.h>
__attribute__((constructor)) static void by_lines(void) {{ setvbuf(stdout, NULL, _IOLBF, BUFSIZ); }}
end"""
"""Shared with C++: compiles a function that makes a program write each line at once, as to a terminal, and is linked to
each program. So a bot that forgets to flush, as CodinGame's own stubs do, loses no match."""
COMPILER = f"""{BY_LINES}
    gcc -std=gnu17 -O2 -pthread -o {MADE} "$(dirname "./$1")"/*.c {LINES} -lm
    {PUT}"""


LANGUAGE = Language(
    name="c",
    packages=("gcc", "libc6-dev", "make"),
    entries=("main.c", "bot.c", "src/main.c"),
    begins=BEGINS,
    skipped=("/test/", "/tests/", "/build/"),
    build=partial(compile_in_out, MAKE_OR.format(compiler=COMPILER)),
    compiled=True,
    joined=True,
    command=compiled_program,
    version=("/usr/bin/gcc", "--version"),
    selftest={
        "main.c": """#include <stdio.h>
int main(void) {
    long n;
    while (scanf("%ld", &n) == 1) printf("%ld\\n", n + 1);
}
"""
    },
)
