"""The Docker backend: one container for each program, some started in advance, by an engine on this machine."""

from __future__ import annotations

from sandbox.docker.backend import Docker
from sandbox.docker.container import LABEL

__all__ = ["LABEL", "Docker"]
