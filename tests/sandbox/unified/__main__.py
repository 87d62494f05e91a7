"""``python -m tests.sandbox.unified``: runs the sandbox's tests and all attacks in a kernel with version 2 groups."""

from __future__ import annotations

import sys

from tests.sandbox.unified import kernel

WHAT = ("-q", "tests/sandbox/test_contract.py", "tests/attacks", "-k", "bubblewrap")
SECONDS = 1_800


def main() -> int:
    """Run the tests, print the output, and return the exit status of pytest."""
    if why := kernel.missing():
        sys.stderr.write(f"{why}\n")
        return 1
    status, output = kernel.tests_run(sys.argv[1:] or WHAT, SECONDS)
    sys.stdout.write(output)
    return status


if __name__ == "__main__":
    sys.exit(main())
