"""``python -m workers.join TOKEN``: lets this machine join an arena, with a token from an administrator.

It exchanges the token for a broker user and writes a file of environment variables, which are all that a playing worker
(``celery -A workers.app worker``) needs.
"""

from __future__ import annotations

import argparse
import os
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
LOOPBACK = ("localhost", "127.0.0.1", "::1")


class CannotJoin(Exception):  # noqa: N818 - an answer to the person at the terminal
    """This machine has not joined; the message is a sentence that says why and what to do."""


def main(arguments: list[str] | None = None) -> int:
    """Join, and print where the environment file is; return the exit code, 0 if the machine has joined, otherwise 1."""
    parser = argparse.ArgumentParser(prog="python -m workers.join", description="Let this machine play for an arena.")
    parser.add_argument("token", help="what `manage.py hosts invite` has printed")
    parser.add_argument("--file", type=Path, default=Path("worker.env"), help="where the environment is written")
    parser.add_argument("--plain-http", action="store_true", help="join over an unencrypted, private network")
    options = parser.parse_args(arguments)
    try:
        admission = join(options.token, file=options.file, plain_http=options.plain_http)
    except CannotJoin as reason:
        sys.stderr.write(f"{printable(str(reason))}\n")
        return 1
    host = printable(admission.host)
    sys.stdout.write(f"This machine plays as “{host}” now. What its workers need to know is in {options.file}.\n")
    return 0


def join(token: str, *, file: Path, plain_http: bool = False) -> Admission:
    """Exchange a token for an environment and write it to a file that only its owner can read.

    Args:
        token: the site's URL, ``#``, and a secret.
        file: path of the file, which is replaced if it exists.
        plain_http: whether secret and password may be sent unencrypted; to this machine itself they always may.

    Raises:
        CannotJoin: the machine has not joined; the token is still valid unless the site says otherwise.
    """
    site, _, secret = token.partition("#")
    _check(site, secret, plain_http)
    draft = file.with_name(f"{file.name}.new")
    try:
        # The file is opened before the token is used up, since the answer cannot be had a second time.
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
    """Return the content of the environment file, quoted so that shells and systemd both read it."""
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
    """Raise CannotJoin if the parts of a token are malformed, or would be sent unencrypted without permission."""
    url = urlsplit(site)
    if url.scheme not in ("http", "https") or not url.hostname or not secret:
        raise CannotJoin("This is no token: give the whole of what `manage.py hosts invite` has printed, in quotes.")
    # The attack: somebody who listens on the network reads the secret, or the password in the answer.
    if url.scheme == "http" and url.hostname not in LOOPBACK and not plain_http:
        raise CannotJoin(
            f"{site} is not encrypted. Use the site's https URL in the token, or add --plain-http if nobody else "
            "can listen on the network between."
        )


def _exchange(site: str, secret: str) -> Admission:
    """Send the secret to the site and return its answer.

    Raises:
        CannotJoin: the site cannot be reached, refuses the secret, or its answer cannot be read.
    """
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
        return msgspec.json.decode(answer.content, type=Admission)
    except (msgspec.DecodeError, ValueError) as error:
        raise CannotJoin(
            f"{site} is no arena of this version, or something in between has changed its answer."
        ) from error


if __name__ == "__main__":
    sys.exit(main())
