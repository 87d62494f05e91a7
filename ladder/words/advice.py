"""Advice on rejected uploads and failed matches: what a verdict means and what the owner can try."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ladder.models import BotVersion

_BY_VERDICT: dict[str, Promise] = {
    "no program": _(
        "We look for main or bot with the ending of a language (main.py, Main.java) at the top of the archive, for "
        "main of some languages also in src, then for the only source file at the top, and then in all folders for the "
        "only main function, the only file with such a name, or the only source file. Rename your main file, or pack "
        "it so that it lies at the top."
    ),
    "no language": _(
        "The upload page says which languages this arena has. If yours was guessed wrongly, tell it there; if you need "
        "another one, ask the administrator to install it."
    ),
    "compile error": _(
        "Your program cannot be compiled. The log names the file and the line, which sources were taken, and any limit "
        "that the compiler has met: its stack, or 48 MiB for each file that it writes. The upload page says which "
        "version of the language is here."
    ),
    "crashed": _(
        "Your program ended by itself. What it wrote to standard error usually names the error that ended it. With "
        "exit code 0 it came to its own end: read and answer until the input ends. Bots have the standard library, "
        "and what the upload page names beside their language: no packages, no network, no files but those you upload "
        "and /tmp."
    ),
    "time": _(
        "Your program answered too late. If it computed for too long, answer sooner; what it still did after its last "
        "answer, to free memory for instance, counts as well. If it used hardly any CPU time, it waited: read no more "
        "lines than are sent, and make sure that every answer ends with a line break and is flushed. An answer that "
        "stays in a buffer looks like none. So does the end of the thread that should answer, while others of yours "
        "live on: its error stands in standard error."
    ),
    "memory": _("Your program needed more memory than a bot may use. Keep fewer positions, or smaller tables."),
    "output": _(
        "Your program wrote too much, or something that is no text, where its answer was expected. Print only answers "
        "to standard output; print what you want to see for yourself to standard error."
    ),
    "illegal answer": _(
        "Your program answered something that is no order of this game. Compare the last output with the protocol on "
        "the game's page; a forgotten debugging print is the usual reason."
    ),
    "security": _(
        "Your program called a function of the system that no bot needs, for instance to look into the memory of "
        "another program or to mount a file system. Leave it out, or the library that does it."
    ),
}
_CRASH_OF_C = _(
    "Of signal 11 (SIGSEGV) nobody writes anything: compiled with -g -fsanitize=address on your own machine, the "
    "program names the line. A recursion too deep for the stack of 8 MiB ends by it, too. Signal 4 (SIGILL) is an "
    "instruction that the processor here does not have: compile without -march=native, and ask for less by #pragma "
    "GCC target."
)
_JVM = _(
    "The first line of a stack trace names the error. An OutOfMemoryError means that the heap is full: keep fewer "
    "positions, or smaller tables. A StackOverflowError is a recursion that goes too deep."
)
_HEAP_OF_NODE = _(
    "If it tells there that its heap is full (heap out of memory), keep fewer positions, or smaller tables."
)
_BY_LANGUAGE: dict[tuple[str, str], Promise] = {
    ("crashed", "python"): _("The last line of a traceback names the error."),
    ("crashed", "c"): _CRASH_OF_C,
    ("crashed", "cpp"): _CRASH_OF_C,
    ("crashed", "csharp"): _(
        "The first line of a stack trace names the error, the line below it the file and the line."
    ),
    ("compile error", "csharp"): _("The compiler of C# is that of Mono: it knows C# up to 7.2."),
    ("crashed", "java"): _JVM,
    ("crashed", "kotlin"): _JVM,
    ("compile error", "kotlin"): _(
        "The compiler is that of Kotlin 1.3: newer functions of the standard library, such as readln(), are missing."
    ),
    ("compile error", "typescript"): _(
        "The compiler refuses errors of syntax, and imports of files that are missing, but not errors of types. It "
        "makes modules of CommonJS, so that await works in functions alone."
    ),
    ("crashed", "php"): _("The fatal error names the file and the line; warnings stand before it."),
    ("crashed", "typescript"): _HEAP_OF_NODE,
    ("crashed", "javascript"): _HEAP_OF_NODE,
    ("crashed", "rust"): _(
        "A panic names the file and the line. A recursion too deep for the stack ends by signal 6 or 11."
    ),
    ("crashed", "go"): _("A panic names the error in its first line, and below it the file and the line."),
    ("crashed", "ruby"): _("The first line names the file, the line and the error."),
    ("time", "c"): _("In C call fflush(stdout) after each answer."),
    ("time", "cpp"): _("In C++ end each answer with std::endl, or call std::cout.flush()."),
    ("time", "csharp"): _("In C# call Flush() on what you write with, if it is no Console.Out."),
    ("time", "java"): _("In Java call flush() on what you write with, if it is no System.out."),
    ("time", "kotlin"): _("In Kotlin call flush() on what you write with, if it is not println()."),
    ("time", "php"): _("In PHP, after ob_start() call ob_flush() and flush() for each answer."),
    ("time", "ruby"): _("In Ruby set $stdout.sync = true."),
    ("time", "go"): _("In Go call Flush() if you write by a bufio.Writer."),
    ("time", "rust"): _("In Rust call flush() if you write by a BufWriter."),
}
"""Additional advice by verdict and language."""
_BY_STEP: dict[str, Promise] = {
    "fetch": _("We could not read your upload. Please upload it once more."),
    "unpack": _("We could not unpack your upload. Please pack it again with an ordinary tool."),
    "compile": _("Your program could not be made ready to run. The log says what the tools said."),
    "check": _("Your program could not finish a match. Try it against itself on your own machine first."),
}

_LARGE_BUILD = _(
    "Building your program took more time or memory than a build may use. Let the program itself make large tables in "
    "its first turn, or read them from a file of the archive; templates and constexpr functions that compute much cost "
    "the compiler much, too."
)
_OF_BUILDS = {"time": _LARGE_BUILD, "memory": _LARGE_BUILD, "output": _BY_STEP["compile"]}
"""Advice by verdict if the step ``compile`` failed: the compiler exceeded a limit, not the program."""


def advice_for(*, verdict: str, step: str, language: str) -> str:
    """Return advice on a rejection by a verdict in a step (``BotVersion``), or an empty string if there is none.

    The language is empty if it is not known.
    """
    if step == "compile" and verdict in _OF_BUILDS:
        return str(_OF_BUILDS[verdict])
    advice = (_BY_VERDICT.get(verdict) or _BY_STEP.get(step), _BY_LANGUAGE.get((verdict, language)))
    return " ".join(str(part) for part in advice if part)


def version_advice(*, version: BotVersion) -> str:
    """Return advice on the rejection of a version, or an empty string."""
    if not version.verdict:
        return ""
    return advice_for(verdict=version.verdict, step=version.step, language=version.language)


def probation_advice() -> str:
    """Return advice on a probation."""
    return gettext(
        "It failed again and again by its own fault, so it is not paired any more. Look at the matches in which it"
        " failed; then upload a corrected version, or let this one play again."
    )
