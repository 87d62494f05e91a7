"""The backend: checks the engine, gives each program a container, removes containers of killed workers."""

from __future__ import annotations

import os
import tempfile
from contextlib import ExitStack
from pathlib import Path

import docker
from docker.errors import DockerException, ImageNotFound

from sandbox.api import BotFault, Limits, NoSandbox, PlatformFault, Program, RunResult
from sandbox.docker.container import IMAGE, LABEL, Container, remove
from sandbox.docker.engine import refusal
from sandbox.docker.pool import Pool
from sandbox.leftovers import owner_lives, sweep_folders, temporary_folder
from sandbox.process import BoxedProcess
from sandbox.steps import run_step

TRIAL = ("/bin/sh", "-c", "echo works > /out/answer")
"""The trial program. It needs what every program and every build needs from the image: a shell and tar."""
REMEDY = "If the image is wrong or old, build it again: deploy/images/build.sh"
REMEDY_OF_RUNTIME = "Not every runtime can be used, see docs/run/sandbox.md: leave SANDBOX_RUNTIME out."


class Docker:
    """The backend. Creating it checks that an engine answers and has the image, and runs a trial program.

    The environment variable DOCKER_HOST selects the engine, SANDBOX_RUNTIME an OCI runtime other than its default.

    Args:
        ahead: How many containers to start in advance for each set of limits in use. With 0 each container is started
            when it is needed. Containers of build steps are never started in advance.

    Raises:
        NoSandbox: Docker does not work on this machine; the sentence says what to do.
    """

    name = "docker"

    def __init__(self, ahead: int = 0) -> None:
        self._runtime = os.environ.get("SANDBOX_RUNTIME") or None
        try:
            self._engine = docker.from_env()
            if reason := refusal(self._engine.info(), self._runtime) or _folder_refusal():
                raise NoSandbox(reason)
            self._engine.images.get(IMAGE)
            for container in self._engine.containers.list(all=True, filters={"label": LABEL}, ignore_removed=True):
                if not owner_lives(container.labels[LABEL]):
                    remove(self._engine.api, str(container.id))
        except ImageNotFound as error:
            raise NoSandbox(f"The image {IMAGE} is missing. Build it: deploy/images/build.sh") from error
        except (OSError, DockerException) as error:
            raise NoSandbox(f"No Docker engine answers. Start one, or set DOCKER_HOST. ({error})") from error
        sweep_folders()
        self._pool = Pool(self._container, ahead)
        self._run_trial()

    def _run_trial(self) -> None:
        where, remedy = f"the image {IMAGE}", REMEDY
        if self._runtime:
            where, remedy = f"{where} with the runtime {self._runtime}", f"{REMEDY_OF_RUNTIME} {REMEDY}"
        with ExitStack() as undo:
            empty, out = temporary_folder(undo), temporary_folder(undo)
            try:
                result = self.run(Program(empty, TRIAL), Limits(), cpu_ms=5_000, out=out)
            except (BotFault, PlatformFault) as fault:
                raise NoSandbox(f"No program can be run in {where}: {fault} {remedy}") from fault
            if not (out / "answer").exists():
                raise NoSandbox(f"No program can be run in {where}: {result.output.strip()} {remedy}")

    def start(self, program: Program, limits: Limits) -> BoxedProcess:
        """Start a program; see ``sandbox.api.Sandbox``."""
        return _run_in(self._pool.take(limits), program, limits).started()

    def run(self, program: Program, limits: Limits, cpu_ms: int, out: Path | None = None) -> RunResult:
        """Run a program to its end; see ``sandbox.api.Sandbox``."""
        return run_step(self._start, program, limits, cpu_ms, out)

    def close(self) -> None:
        """End the containers that were started in advance, and close the connections to the engine."""
        self._pool.close()
        self._engine.close()

    def _start(self, program: Program, limits: Limits, out: bool) -> BoxedProcess:
        return _run_in(self._container(limits, out), program, limits)

    def _container(self, limits: Limits, out: bool = False) -> Container:
        return Container(self._engine.api, self._runtime, limits, out)


def _run_in(container: Container, program: Program, limits: Limits) -> BoxedProcess:
    """Run the program in a started container, and return it."""
    with ExitStack() as undo:
        undo.callback(container.destroy)
        process = BoxedProcess(container, limits)  # its clock starts here: CPU time used before is not charged
        container.give(program)
        undo.pop_all()
    return process


def _folder_refusal() -> str | None:
    """Return why programs cannot be started from the folder for temporary files, None if they can."""
    folder = tempfile.gettempdir()
    if os.statvfs(folder).f_flag & os.ST_NOEXEC:
        return f"{folder} is mounted noexec, so no bot can be started from it. Set TMPDIR to a folder where one can."
    return None
