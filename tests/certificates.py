"""Self-signed certificates for tests."""

from __future__ import annotations

import shutil
import ssl
import subprocess
from pathlib import Path

import pytest

HERE = "IP:127.0.0.1"


def certificate(folder: Path, name: str = HERE) -> Path:
    """Create a certificate for one host name with openssl, and return its file, which also holds its key."""
    if shutil.which("openssl") is None:
        pytest.skip("needs openssl: apt-get install openssl")
    file = folder / f"{name.replace(':', '-')}.pem"
    key = file.with_suffix(".key")
    names = ("-subj", "/CN=arena", "-addext", f"subjectAltName={name}")
    made = ("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", *names)
    subprocess.run(["openssl", *made, "-keyout", key, "-out", file], check=True, capture_output=True)
    file.write_text(file.read_text() + key.read_text())
    return file


def server_context(certified: Path) -> ssl.SSLContext:
    """Return the TLS context of a server with such a certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certified)
    return context
