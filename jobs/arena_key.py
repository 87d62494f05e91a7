"""The arena's key, with which it signs what people keep: final boards of contests.

It is derived from ``SECRET_KEY``, as the key of jobs is (``jobs.sending``), but it is another one: whatever a job says,
its signature is never that of a board.
"""

from __future__ import annotations

from functools import lru_cache

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.conf import settings
from django.utils.crypto import salted_hmac


def arena_sign(data: bytes) -> str:
    """Return the Ed25519 signature of some bytes, 128 hexadecimal digits; the same bytes have the same signature."""
    return _private_key(settings.SECRET_KEY).sign(data).hex()


def arena_public_key() -> str:
    """Return the public key by which anybody verifies ``arena_sign``, 64 hexadecimal digits."""
    return _private_key(settings.SECRET_KEY).public_key().public_bytes_raw().hex()


def arena_public_key_pem() -> bytes:
    """Return the public key in the form that OpenSSL reads."""
    return (
        _private_key(settings.SECRET_KEY)
        .public_key()
        .public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    )


@lru_cache(maxsize=1)
def _private_key(secret: str) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(
        salted_hmac("jobs.arena_key", b"", secret=secret, algorithm="sha256").digest()
    )
