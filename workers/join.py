"""``python -m workers.join TOKEN``: joins an arena. Exchanges an administrator's token for a worker's environment.

The file it writes is all that a playing worker needs to know: ``celery -A workers.app worker`` with these variables.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import sys
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
import requests

from core.text import printable
from wire.admission import Admission
from workers.artifacts import AUTHORITIES, is_certificate_refused

TIMEOUT_SECONDS = 30
JOIN_PATH = "/fleet/join/"
_ADDRESS = re.compile(r"rediss?://[A-Za-z0-9:/?@&=%._~\[\]-]+")
LOOPBACK = ("localhost", "127.0.0.1", "::1")


class CannotJoin(Exception):  # noqa: N818 - an answer to the person at the terminal
    """Why this machine has not joined, in a sentence that says what to do."""


def main(arguments: list[str] | None = None) -> int:
    """Join, and say how to go on.

    Returns:
        The exit code.
    """
    parser = argparse.ArgumentParser(prog="python -m workers.join", description="Let this machine play for an arena.")
    parser.add_argument("token", help="what `manage.py hosts invite` has printed")
    parser.add_argument("--file", type=Path, default=Path("worker.env"), help="where the environment is written")
    parser.add_argument("--plain-http", action="store_true", help="join over an unencrypted, private network")
    told = parser.parse_args(arguments)
    try:
        admission = join(told.token, file=told.file, plain_http=told.plain_http)
    except CannotJoin as reason:
        sys.stderr.write(f"{printable(str(reason))}\n")
        return 1
    sys.stdout.write(
        f"This machine plays as “{printable(admission.host)}” now. What its workers need to know is in {told.file}.\n"
    )
    return 0


def join(token: str, *, file: Path, plain_http: bool = False) -> Admission:
    """Exchange a token for an environment and write it to a file that only its owner can read.

    Args:
        token: the site's address, ``#``, a secret.
        file: replaced if it exists.
        plain_http: whether the secret and the password may travel unencrypted; always allowed on this machine.

    Raises:
        CannotJoin: it did not work; unless the site says otherwise, the token is still good.
    """
    site, _, secret = token.partition("#")
    _check(site, secret, plain_http)
    draft = file.with_name(f"{file.name}.new")
    try:
        # Before the token is used up: the answer comes once only.
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            admission = _exchange(site, secret)
            os.write(descriptor, environment(admission).encode())
        finally:
            os.close(descriptor)
        draft.replace(file)
    except OSError as error:
        raise CannotJoin(f"{file} cannot be written ({error.strerror}); choose another one with --file.") from error
    finally:
        with suppress(FileNotFoundError):
            draft.unlink()
    return admission


def environment(admission: Admission) -> str:
    """Return the lines of the environment's file, quoted as shells and systemd both read them."""
    values = {
        "REDIS_URL": admission.redis_url,
        "LEASE_SECONDS": f"{admission.lease_seconds:g}",
        "SANDBOX": "auto",
        "LOG_FORMAT": "json",
        "REMAP_SIGTERM": "SIGQUIT",
    }
    if authorities := os.environ.get(AUTHORITIES):
        values[AUTHORITIES] = str(Path(authorities).absolute())
    return "".join(f"{name}={shlex.quote(value)}\n" for name, value in values.items())


def _check(site: str, secret: str, plain_http: bool) -> None:
    address = urlsplit(site)
    if address.scheme not in ("http", "https") or not address.hostname or not secret:
        raise CannotJoin("This is no token: give the whole of what `manage.py hosts invite` has printed, in quotes.")
    # The attack this stops: whoever listens on the way takes the secret, or the password in the answer.
    if address.scheme == "http" and address.hostname not in LOOPBACK and not plain_http:
        raise CannotJoin(
            f"{site} is not encrypted. Use the site's https address in the token, or add --plain-http if nobody else "
            "can listen on the network between."
        )


def _exchange(site: str, secret: str) -> Admission:
    try:
        answer = requests.post(
            site + JOIN_PATH, json={"secret": secret}, timeout=TIMEOUT_SECONDS, allow_redirects=False
        )
    except requests.RequestException as error:
        if is_certificate_refused(error):
            raise CannotJoin(
                f"The certificate of {site} is not accepted; the token is still good. If an authority of your own has "
                f"signed it, give its certificate: {AUTHORITIES}=/path/to/ca.pem before the command."
            ) from error
        raise CannotJoin(f"{site} cannot be reached ({type(error).__name__}); the token is still good.") from error
    if answer.status_code != requests.codes.ok:
        raise CannotJoin(f"{site} answers {answer.status_code}: {answer.text[:300]}")
    try:
        return _checked(msgspec.json.decode(answer.content, type=Admission))
    except (msgspec.DecodeError, ValueError) as error:
        raise CannotJoin(
            f"{site} is no arena of this version, or something in between has changed its answer."
        ) from error


def _checked(admission: Admission) -> Admission:
    """Refuse an address with anything that no address has.

    The attack this stops: a site, or somebody in between, answers with a line break or a quote, and thereby writes
    variables or commands of its choice into a file that a shell reads as root.
    """
    if not _ADDRESS.fullmatch(admission.redis_url):
        raise ValueError("not the address of a broker")
    return admission


if __name__ == "__main__":
    sys.exit(main())
