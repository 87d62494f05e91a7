"""``python -m deploy.eslint``: check our JavaScript with the ESLint that ``make test`` installs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from deploy.arena import say
from deploy.settings import ROOT

PROGRAM = Path("node_modules/eslint/bin/eslint.js")
NODE = Path(sys.executable).with_name("node")


def main(root: Path = ROOT) -> int:
    """Check every script of ours below a folder with our ESLint configuration.

    Returns:
        The exit code: 0 if ESLint finds nothing. Without ESLint it is 0, too, but 1 if the variable CI is set.
    """
    if not (NODE.exists() and (root / PROGRAM).exists()):
        say("ESLint is not installed, so no script is checked: .venv/bin/npm ci")
        return 1 if os.environ.get("CI") else 0
    return subprocess.run([NODE, PROGRAM, "--max-warnings=0", "."], cwd=root, check=False).returncode  # noqa: S603


if __name__ == "__main__":
    sys.exit(main())
