"""TLS on the way to the broker: whose certificates are good, and what to do when the two ends do not understand."""

from __future__ import annotations

import os
import ssl
from collections.abc import Mapping
from urllib.parse import parse_qsl, quote, urlsplit, urlunsplit

from redis import Redis, RedisError

_TIMEOUT_SECONDS = 5
_FILES = ("ssl_ca_certs", "ssl_certfile", "ssl_keyfile")
_OPTIONS = (*_FILES, "ssl_ca_path", "ssl_password", "ssl_cert_reqs", "ssl_check_hostname")
"""What both our libraries, redis and kombu, understand behind the ``?`` of an address."""
_VALUES = {"ssl_cert_reqs": ("required", "optional", "none"), "ssl_check_hostname": ("true", "false")}
_CLIENTS = (
    "If it wants a certificate of its clients, name one at the end of REDIS_URL: "
    "?ssl_certfile=/path/to/client.pem&ssl_keyfile=/path/to/client.key."
)
_REMEDIES = {
    "certificate has expired": "Renew its certificate.",
    "certificate is not valid for": "Name it in REDIS_URL as its certificate does, or give it one for this name.",
    "CERTIFICATE_VERIFY_FAILED": "If an authority of your own has signed its certificate, name that authority's at the "
    "end of REDIS_URL: ?ssl_ca_certs=/path/to/ca.pem.",
    "CERTIFICATE_REQUIRED": _CLIENTS,
    "EOF occurred": _CLIENTS,
}
"""By what stands in the error of the library for TLS; the first that does."""
_PERHAPS_PLAIN = ("Timeout", "WRONG_VERSION_NUMBER")
_PERHAPS_TLS = ("reset by peer", "closed by server", "Protocol Error")
"""What is seen of an end that does not speak TLS, and of one that does, by whoever takes it for the other."""


def is_encrypted(broker_url: str) -> bool:
    """Tell whether the address of a broker asks for TLS."""
    return urlsplit(broker_url).scheme == "rediss"


def trusting(broker_url: str, authorities: str) -> str:
    """Return the address of a broker with a file, or a folder, of authorities that may sign its certificate, too.

    Args:
        broker_url: that names none itself, else nothing is added.
        authorities: path; empty: none but the usual ones.
    """
    parts = urlsplit(broker_url)
    if not authorities or not is_encrypted(broker_url) or "ssl_ca_" in parts.query:
        return broker_url
    option = "ssl_ca_path" if os.path.isdir(authorities) else "ssl_ca_certs"
    return urlunsplit(parts._replace(query=f"{parts.query}&{option}={quote(authorities)}".lstrip("&")))


def options_fault(broker_url: str, *, files_here: bool = True) -> str:
    """Return what is wrong behind the ``?`` of an address, to be read after the name of its variable; empty: nothing.

    Args:
        broker_url: an address of a broker.
        files_here: whether the files that it names must be on this machine.
    """
    options = dict(parse_qsl(urlsplit(broker_url).query, keep_blank_values=True))
    if unknown := sorted(set(options) - set(_OPTIONS)):
        return f"has {unknown[0]} behind its ?, which is none of: {', '.join(_OPTIONS)}."
    if options and not is_encrypted(broker_url):
        return "has options of TLS behind its ? and asks for none; begin it with rediss://."
    for name, values in _VALUES.items():
        if options.get(name, values[0]) not in values:
            return f"has another {name} than {', '.join(values)}."
    return _fault_of_files(options) if files_here else ""


def broker_fault(broker_url: str) -> str:
    """Try to reach the broker; return why it cannot be reached, and what to do if it is for TLS; empty if it can."""
    if fault := options_fault(broker_url):
        return f"REDIS_URL {fault}"
    try:
        with Redis.from_url(broker_url, socket_timeout=_TIMEOUT_SECONDS) as broker:
            broker.ping()
    except (RedisError, ValueError) as error:  # ValueError: no address is configured
        return broker_error(broker_url, error)
    return ""


def broker_error(broker_url: str, error: Exception) -> str:
    """Return the words of an error that was met at the broker, and what to do if it is for TLS."""
    words = str(error)
    return " ".join(filter(None, (f"{words.rstrip('.')}.", _remedy(broker_url, words))))


def _remedy(broker_url: str, words: str) -> str:
    for name, remedy in _REMEDIES.items():
        if name in words:
            return remedy
    if is_encrypted(broker_url) and any(sign in words for sign in _PERHAPS_PLAIN):
        return "If it speaks no TLS there, begin REDIS_URL with redis://."
    if not is_encrypted(broker_url) and any(sign in words for sign in _PERHAPS_TLS):
        return "If it speaks TLS there, begin REDIS_URL with rediss://."
    return ""


def _fault_of_files(options: Mapping[str, str]) -> str:
    """Read the files as the libraries will: they would tell of a missing one only that there is one."""
    for name in filter(options.get, _FILES):
        try:
            with open(options[name], "rb"):
                pass
        except OSError as error:
            return f"names the file {options[name]} as {name}, which cannot be read ({error.strerror})."
    context, chain = ssl.create_default_context(), (options.get("ssl_certfile"), options.get("ssl_keyfile"))
    try:
        if authorities := options.get("ssl_ca_certs"):
            context.load_verify_locations(authorities)
        if chain[0]:
            # With an empty password, for without any it would be asked for at the terminal.
            context.load_cert_chain(chain[0], chain[1], options.get("ssl_password", ""))
    except ssl.SSLError as error:
        return f"names files behind its ? that are no certificates, or not of this key ({error.reason})."
    return ""
