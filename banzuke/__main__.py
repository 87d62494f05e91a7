"""The command ``banzuke``, and ``python -m banzuke``."""

from __future__ import annotations

import sys

WINDOWS = (
    "banzuke runs on Linux and macOS. On Windows, type wsl --install once, and use banzuke in the Linux that this "
    "brings. Bots may be written anywhere, and uploaded by the arena's site.\n"
)


def main() -> int:
    """Run a command and return its exit status, see ``banzuke.referee.run_command``."""
    if sys.platform == "win32":
        sys.stderr.write(WINDOWS)
        return 2
    try:
        from banzuke import commands  # not before: they need what Windows does not have

        return commands.main()
    except KeyboardInterrupt:  # while they are being loaded, which takes a moment
        return 130


if __name__ == "__main__":
    sys.exit(main())
