"""What an author is shown of a fault: enough to find it, never more than the messages may carry."""

from __future__ import annotations

from core.referee import SeatFault
from sandbox.api import Evidence
from wire.jobs import FaultReport

LOG_CHARS_MAX = 80_000
_CUT_CHARS = 60


def cut(text: str, chars_max: int) -> str:
    """Return head and tail of a text that may be too long."""
    if len(text) <= chars_max:
        return text
    half = (chars_max - _CUT_CHARS) // 2
    return f"{text[:half]}\n[... {len(text) - 2 * half} characters left out ...]\n{text[-half:]}"


def fault_report(fault: SeatFault, evidence: Evidence) -> FaultReport:
    """Put together what the referee says of a fault and what the sandbox has seen of it.

    Args:
        fault: verdict, sentence and turn.
        evidence: the last question and answer, the exit, standard error, and what that turn has cost.
    """
    return FaultReport(
        verdict=fault.verdict,
        sentence=cut(fault.sentence, 1_000),
        turn=fault.turn,
        exit_code=evidence.exit_code,
        signal=evidence.signal,
        last_input=cut("\n".join(evidence.last_input), 16_000),
        last_output=cut(evidence.last_output, 8_000),
        stderr=cut(evidence.stderr, LOG_CHARS_MAX),
        cpu_ms=evidence.cpu_ms,
        wall_ms=evidence.wall_ms,
        memory_peak_mib=evidence.memory_peak_mib,
    )


def fault_text(fault: FaultReport, *, build: str) -> str:
    """Return a fault's evidence as text for the log of a build.

    Args:
        fault: the one that ended the check match.
        build: what the build has printed: a compiler's warning is often the reason for the crash.
    """
    how = "" if fault.exit_code is None else f", exit code {fault.exit_code}"
    how += "" if fault.signal is None else f", signal {fault.signal}"
    used = f"{fault.cpu_ms:,.0f} ms of CPU time in {fault.wall_ms:,.0f} ms"
    memory = f"The most memory it held was {fault.memory_peak_mib:,.0f} MiB."
    sections = {"Standard error": fault.stderr, "Last question": fault.last_input, "Last answer": fault.last_output}
    parts = [f"Turn {fault.turn}: {fault.verdict}{how}. This turn took {used}. {memory}"]
    parts += [f"--- {title} ---\n{text or '(nothing)'}" for title, text in sections.items()]
    return "\n\n".join([*parts, f"--- Build ---\n{build}"] if build else parts)
