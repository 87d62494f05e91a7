"""Watch a replay in the browser, in the viewer of the site; no request leaves this machine.

If the log of the match's turns lies beside the replay, as `play --replay` writes it (match-log.json beside
match.replay) and as the site lets owners download it, the viewer shows what the bots were asked, wrote and drew.
"""

from __future__ import annotations

import argparse
import contextlib
import threading
import webbrowser
from pathlib import Path

from banzuke.replays import replay_read
from banzuke.text import UserError, say
from banzuke.turnlog import log_read
from banzuke.viewer import viewer_server
from core.arguments import whole


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``watch``."""
    parser.add_argument("replay", type=Path)
    add_server_arguments(parser)


def add_server_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments that say how the viewer is shown."""
    parser.add_argument("--port", type=whole, default=0, help="default: any that is free")
    parser.add_argument("--no-browser", action="store_true", help="only print the URL")


def run(arguments: argparse.Namespace) -> int:
    """Serve the viewer until Ctrl-C."""
    records, log = replay_read(arguments.replay), log_read(arguments.replay)
    try:
        server = viewer_server(arguments.replay.read_bytes(), records, arguments.port, log=log)
    except (OSError, OverflowError) as error:
        raise UserError(f"Port {arguments.port} cannot be used: {error}.") from error
    with server, contextlib.suppress(KeyboardInterrupt):
        url = f"http://127.0.0.1:{server.server_address[1]}/"
        say(f"{url}   Ctrl-C ends it.")
        if not arguments.no_browser:
            # In a thread, since for some browsers ``open`` returns only when they are closed.
            threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()
        server.serve_forever()
    return 0
