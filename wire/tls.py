"""TLS to the broker: which certificates are accepted, and advice when a connection fails."""

from __future__ import annotations

import os
import ssl
from collections.abc import Mapping
from urllib.parse import parse_qsl, quote, urlsplit, urlunsplit

from redis import Redis, RedisError

_TIMEOUT_SECONDS = 5
_FILES = ("ssl_ca_certs", "ssl_certfile", "ssl_keyfile")
_OPTIONS = (*_FILES, "ssl_ca_path", "ssl_password", "ssl_cert_reqs", "ssl_check_hostname")
"""The options in the query string of a broker's URL that both our libraries, redis and kombu, understand."""
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
"""Advice by a part of the TLS library's error text; the first that matches is given."""
_PERHAPS_PLAIN = ("Timeout", "WRONG_VERSION_NUMBER")
"""Parts of the errors of a TLS client at a broker that does not use TLS."""
_PERHAPS_TLS = ("reset by peer", "closed by server", "Protocol Error")
"""Parts of the errors of a client without TLS at a broker that uses it."""


def is_encrypted(broker_url: str) -> bool:
    """Return True if a broker's URL asks for TLS."""
    return urlsplit(broker_url).scheme == "rediss"


def with_authorities(broker_url: str, authorities: str) -> str:
    """Return a broker's URL with an option that names ``authorities``, the path of a file or folder of certificates.

    The URL is returned as it is if ``authorities`` is empty, or if it names authorities itself or does not use TLS.
    """
    parts = urlsplit(broker_url)
    if not authorities or not is_encrypted(broker_url) or "ssl_ca_" in parts.query:
        return broker_url
    option = "ssl_ca_path" if os.path.isdir(authorities) else "ssl_ca_certs"
    return urlunsplit(parts._replace(query=f"{parts.query}&{option}={quote(authorities)}".lstrip("&")))


def options_fault(broker_url: str, *, files_here: bool = True) -> str:
    """Return what is wrong in the query string of a broker's URL; empty if nothing is.

    The text is the end of a sentence that begins with the name of the variable, such as ``REDIS_URL``. With
    ``files_here`` the files that the URL names must be on this machine.
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
    """Ping the broker; return why it cannot be reached, with advice on TLS, or an empty text if it can."""
    if fault := options_fault(broker_url):
        return f"REDIS_URL {fault}"
    try:
        with Redis.from_url(broker_url, socket_timeout=_TIMEOUT_SECONDS) as broker:
            broker.ping()
    except (RedisError, ValueError) as error:  # ValueError: broker_url is no URL of Redis
        return broker_error(broker_url, error)
    return ""


def broker_error(broker_url: str, error: Exception) -> str:
    """Return the text of an error of the broker's client, followed by advice if the cause is TLS."""
    text = str(error)
    remedies = [remedy for part, remedy in _REMEDIES.items() if part in text]
    if is_encrypted(broker_url) and any(part in text for part in _PERHAPS_PLAIN):
        remedies.append("If it speaks no TLS there, begin REDIS_URL with redis://.")
    if not is_encrypted(broker_url) and any(part in text for part in _PERHAPS_TLS):
        remedies.append("If it speaks TLS there, begin REDIS_URL with rediss://.")
    return " ".join([f"{text.rstrip('.')}.", *remedies[:1]])


def _fault_of_files(options: Mapping[str, str]) -> str:
    """Load the files as the libraries will, and return what is wrong; the libraries would not name the missing file."""
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
            # The default is an empty password: without one, OpenSSL would ask for it at the terminal.
            context.load_cert_chain(chain[0], chain[1], options.get("ssl_password", ""))
    except ssl.SSLError as error:
        return f"names files behind its ? that are no certificates, or not of this key ({error.reason})."
    return ""
