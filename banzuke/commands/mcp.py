"""Serve tools for a coding agent by the Model Context Protocol, over standard input and output.

The agent acts as you on the arena of the last login, within your limits: it reads the rules, tries programs, and
submits bots from below the folder in which the command was started. An agent starts the command by itself;
docs/play/agents.md says how. The command needs one more package: pip install 'banzuke[mcp]'.
"""

from __future__ import annotations

import argparse
import functools
from collections.abc import Callable
from typing import Any

import msgspec

from banzuke import agents
from banzuke.text import UserError
from core import __version__
from core.text import printable


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``mcp``: none."""


def run(arguments: argparse.Namespace) -> int:
    """Serve until standard input ends."""
    try:
        from mcp.server import MCPServer  # here, since it is an extra, and takes a second
        from mcp.server.mcpserver.exceptions import ToolError
        from mcp.types import ToolAnnotations
    except ImportError as error:
        raise UserError("banzuke mcp needs one more package: pip install 'banzuke[mcp]'") from error

    def tool(function: Callable[..., Any]) -> Callable[..., Any]:
        """Wrap a function: it returns one text, and a ``UserError`` becomes an error that the agent reads."""

        @functools.wraps(function)
        def told(*args: Any, **kwargs: Any) -> str:
            try:
                result = function(*args, **kwargs)
            except UserError as error:
                raise ToolError(str(error)) from error
            # The attack: a bot's name or output has terminal escapes, and the agent prints the answer for its user.
            return printable(result if isinstance(result, str) else msgspec.json.encode(result).decode())

        return told

    server = MCPServer("banzuke", instructions=agents.INSTRUCTIONS, version=__version__, log_level="WARNING")
    for reads, tools in ((True, agents.READING), (False, agents.ACTING)):
        hints = ToolAnnotations(read_only_hint=reads, destructive_hint=False, open_world_hint=True)
        for function in tools:
            server.add_tool(tool(function), annotations=hints, structured_output=False)
    server.run()
    return 0
