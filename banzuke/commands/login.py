"""Sign in to an arena: its URL and a token are stored, not the password.

With --token you type a token that you have made on the site's page of tokens, instead of name and password. If your
account has two-factor authentication, you are asked for the code, too.
"""

from __future__ import annotations

import argparse
import getpass
import sys

import msgspec

from banzuke.api_types import Account, NewToken
from banzuke.site import CodeWanted, Site, is_private, site_at, site_remember
from banzuke.text import UserError, say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``login``."""
    parser.add_argument("url", metavar="URL", help="of the arena: https://arena.example")
    parser.add_argument("--name", help="of your account (default: you are asked)")
    parser.add_argument("--token", action="store_true", help="type a token instead")
    parser.add_argument("--insecure", action="store_true", help="allow http, where anybody on the way can read")


def run(arguments: argparse.Namespace) -> int:
    """Get a token, try it, and store it."""
    if sys.stdin is None:
        raise UserError("Standard input is closed, but passwords and tokens are read from there.")
    site = site_at(arguments.url)
    if not (is_private(site) or arguments.insecure):
        raise UserError(f"{site.url} is not encrypted: anybody on the way could read your password. Use https://.")
    site = msgspec.structs.replace(site, token=_typed("Token: ") if arguments.token else _token(site, arguments.name))
    username = site.get("account/", Account).username
    say(f"You are {username} at {site.url}. The token is kept in {site_remember(site)}.")
    return 0


def _token(site: Site, name: str | None) -> str:
    sent = {"username": name or _asked("Name: "), "password": _typed("Password: ")}
    try:
        return site.post("login/", NewToken, json=sent).token
    except CodeWanted:
        return site.post("login/", NewToken, json=sent | {"code": _typed("Code: ")}).token


def _asked(prompt: str) -> str:
    try:
        return input(prompt)
    except EOFError as error:
        raise UserError("Nobody answers here: give the name of your account by --name.") from error


def _typed(prompt: str) -> str:
    """Return a line that the terminal does not show while it is typed, or a line of a pipe.

    Raises:
        UserError: the user has closed the input.
    """
    try:
        return getpass.getpass(prompt) if sys.stdin.isatty() else sys.stdin.readline().rstrip("\n")
    except EOFError as error:  # Ctrl-D
        raise UserError("Nothing was typed, so nobody is signed in.") from error
