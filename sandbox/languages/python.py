"""Python 3, with numpy: the interpreter runs the entry point."""

from __future__ import annotations

import re

from sandbox.languages.language import Language

INTERPRETER = "/usr/bin/python3"

CHECK = """
import os, sys, traceback
bad = 0
for folder, _, files in os.walk("/bot"):
    for name in sorted(files):
        path = os.path.join(folder, name)
        if name.endswith(".py"):
            try:
                with open(path, "rb") as file:
                    compile(file.read(), os.path.relpath(path, "/bot"), "exec", dont_inherit=True)
            except Exception as error:
                bad += 1
                print("".join(traceback.format_exception_only(error)), end="")
sys.exit(bad > 0)
"""
"""The build step: it compiles every source file without running it, and prints each error with file and line."""


PYTHON_2 = re.compile(
    r"Missing parentheses in call to '(print|exec)'|multiple exception types must be parenthesized"
    r"|leading zeros in decimal integer literals|NameError: name '(raw_input|xrange|unicode|unichr|long|reduce)' is"
    r"|No module named '(Queue|StringIO|cStringIO|ConfigParser|urllib2|__builtin__|cPickle|itertools\.izip)'"
    r"|cannot import name 'izip' from|'dict' object has no attribute '(has_key|iteritems|itervalues|iterkeys)'"
)
"""Error messages of Python 3 for programs written in Python 2."""


LANGUAGE = Language(
    name="python",
    packages=("python3", "python3-numpy"),
    entries=("main.py", "bot.py"),
    build=lambda entry: (INTERPRETER, "-I", "-c", CHECK),
    compiled=False,
    # -u: a bot that forgets to flush would otherwise lose its first match by time.
    command=lambda entry, limits: (INTERPRETER, "-u", entry),
    version=(INTERPRETER, "--version"),
    older=("Python 2", PYTHON_2),
    libraries=(INTERPRETER, "-I", "-c", "import numpy; print('numpy', numpy.__version__)"),
    selftest={"main.py": "import sys\nfor line in sys.stdin:\n    print(int(line) + 1)\n"},
)
