"""The command ``banzuke``, and ``python -m banzuke``."""

from __future__ import annotations

import sys

WINDOWS = (
    "banzuke runs on Linux and macOS. On Windows, type wsl --install once, and use banzuke in the Linux that this "
    "brings. Bots may be written anywhere, and uploaded by the arena's site.\n"
)


def main() -> int:
    """Run a command and return its exit status, see ``banzuke.command_line.run_command``."""
    if sys.platform == "win32":
        sys.stderr.write(WINDOWS)
        return 2
    try:
        from banzuke import commands  # here, since they import modules that Windows lacks

        return commands.main()
    except KeyboardInterrupt:  # while the modules are loaded, which takes a moment
        return 130


if __name__ == "__main__":
    sys.exit(main())
