"""The Docker backend: a container a program, made by an engine on this machine; some are started ahead."""

from __future__ import annotations

from sandbox.docker.backend import Docker
from sandbox.docker.container import LABEL

__all__ = ["LABEL", "Docker"]
