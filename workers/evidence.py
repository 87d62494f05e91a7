"""Evidence of a bot's fault for its author, cut to the sizes that messages allow."""

from __future__ import annotations

from typing import Any

from core.message import Message
from core.referee import SeatFault
from sandbox.api import Evidence
from wire.jobs import FaultReport
from wire.messages import TEXT_CHARS_MAX

LOG_CHARS_MAX = 80_000
_CUT_CHARS = 60


def cut(text: str, chars_max: int) -> str:
    """Return a text; of one with more than ``chars_max`` characters head and tail, with a note on what is left out."""
    if len(text) <= chars_max:
        return text
    half = (chars_max - _CUT_CHARS) // 2
    return f"{text[:half]}\n[... {len(text) - 2 * half} characters left out ...]\n{text[-half:]}"


def message_cut(message: Message) -> Message:
    """Return a copy of a message whose texts, nested ones too, are cut to ``TEXT_CHARS_MAX`` characters, without NUL.

    The site refuses reports with longer texts, and a game's refusal may quote a whole answer of a bot.
    """
    return Message(message.kind, {name: _value_cut(value) for name, value in message.args.items()})


def _value_cut(value: Any) -> Any:
    if isinstance(value, str):
        return cut(value.replace("\0", "\ufffd"), TEXT_CHARS_MAX)
    return {name: _value_cut(inner) for name, inner in value.items()} if isinstance(value, dict) else value


def fault_report(fault: SeatFault, evidence: Evidence) -> FaultReport:
    """Return the report of a fault, from what the referee and the sandbox know about it."""
    return FaultReport(
        verdict=fault.verdict,
        why=message_cut(fault.why),
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
    """Return the evidence of a fault in a check match as text for the build's log.

    It ends with ``build``, the output of the build step, since a compiler's warning often explains a crash.
    """
    how = "" if fault.exit_code is None else f", exit code {fault.exit_code}"
    how += "" if fault.signal is None else f", signal {fault.signal}"
    used = f"{fault.cpu_ms:,.0f} ms of CPU time in {fault.wall_ms:,.0f} ms"
    memory = f"The most memory it held was {fault.memory_peak_mib:,.0f} MiB."
    sections = {"Standard error": fault.stderr, "Last question": fault.last_input, "Last answer": fault.last_output}
    parts = [f"Turn {fault.turn}: {fault.verdict}{how}. This turn took {used}. {memory}"]
    parts += [f"--- {title} ---\n{text or '(nothing)'}" for title, text in sections.items()]
    return "\n\n".join([*parts, f"--- Build ---\n{build}"] if build else parts)
