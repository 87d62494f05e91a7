"""The arena's keys: the one with which it signs what people keep, final boards of contests, and that of jobs.

Both are derived from ``SECRET_KEY``, which all machines of a site share, no worker knows and backups contain. So
administrators have no further secret to store. They differ: whatever a job says, its signature is never a board's.
"""

from __future__ import annotations

from functools import lru_cache

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.conf import settings
from django.utils.crypto import salted_hmac


def arena_sign(data: bytes) -> str:
    """Return the Ed25519 signature of some bytes, 128 hexadecimal digits; the same bytes have the same signature."""
    return _private_key().sign(data).hex()


def arena_public_key() -> str:
    """Return the public key by which anybody verifies ``arena_sign``, 64 hexadecimal digits."""
    return _private_key().public_key().public_bytes_raw().hex()


def arena_public_key_pem() -> bytes:
    """Return the public key in the form that OpenSSL reads."""
    form = serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    return _private_key().public_key().public_bytes(*form)


def _private_key() -> Ed25519PrivateKey:
    return derived_key("jobs.arena_key", settings.SECRET_KEY)


@lru_cache(maxsize=2)
def derived_key(salt: str, secret: str) -> Ed25519PrivateKey:
    """Return the key that is derived from ``secret`` for one purpose, which ``salt`` names."""
    return Ed25519PrivateKey.from_private_bytes(salted_hmac(salt, b"", secret=secret, algorithm="sha256").digest())
