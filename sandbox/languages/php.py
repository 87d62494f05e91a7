"""PHP: the interpreter runs the entry point, with its just-in-time compiler."""

from __future__ import annotations

from collections.abc import Iterable

from sandbox.api import Limits
from sandbox.languages.language import Language, shell

INTERPRETER = "/usr/bin/php"
SETTINGS = ("display_errors=stderr", "error_reporting=-1", "log_errors=0", "html_errors=0")
"""Without them messages would go to standard output, like answers."""
LIBRARIES = ("extension=ctype", "extension=iconv", "extension=mbstring", "zend_extension=opcache")
OPCACHE = {
    "enable_cli": "1",
    "jit": "tracing",
    "jit_buffer_size": "16M",
    "memory_consumption": "8",
    "interned_strings_buffer": "1",
    "file_update_protection": "0",  # else a program that is younger than two seconds is not compiled
}
CHECK = f"""find . -name '*.php' -print0 |
    xargs --null --max-args=1 sh -c 'php -n -d {" -d ".join(SETTINGS)} -l "$1" >/tmp/log && exit
        cat /tmp/log
        exit 1' sh"""


def _options(settings: Iterable[str]) -> tuple[str, ...]:
    """Return options of the interpreter. It reads no files of settings, which differ from machine to machine."""
    return ("-n", *(word for setting in settings for word in ("-d", setting)))


def _command(entry: str, limits: Limits) -> tuple[str, ...]:
    opcache = [f"opcache.{name}={value}" for name, value in OPCACHE.items()]
    memory = f"memory_limit={limits.memory_mib * 3 // 4}M"  # the interpreter needs more than it counts
    return (INTERPRETER, *_options([*SETTINGS, memory, *LIBRARIES, *opcache]), "-f", entry)


LANGUAGE = Language(
    name="php",
    packages=("php-cli", "php-mbstring"),
    entries=("main.php", "bot.php", "index.php"),
    build=lambda entry: shell(CHECK),
    compiled=False,
    command=_command,
    version=(INTERPRETER, "--version"),
    selftest={"main.php": '<?php\nwhile (($line = fgets(STDIN)) !== false) {\n    echo (int) $line + 1, "\\n";\n}\n'},
)
