"""How far the audit log had come, as it is written into what leaves the site.

Who cuts the log off, or writes it anew, cannot change what lies elsewhere.
"""

import re
from dataclasses import dataclass
from typing import Any

_TEXT = re.compile(r"\b([1-9][0-9]*):([0-9a-f]{64})\b")
_HASH = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class AuditHead:
    """The last entry of the log at some moment: its number and its SHA-256."""

    sequence: int
    hash: str

    def __str__(self) -> str:
        return f"{self.sequence}:{self.hash}"


def heads_in_text(text: str) -> list[AuditHead]:
    """Every `NUMBER:HASH` of a text, as a mail or a note has them."""
    return [AuditHead(int(number), found) for number, found in _TEXT.findall(text)]


def head_from_json(data: Any) -> AuditHead | None:
    """The entry `audit` in the manifest of a release or a backup; None without one."""
    match data:
        case {"audit": {"sequence": int(sequence), "hash": str(found)}} if _HASH.fullmatch(found):
            return AuditHead(sequence, found)
    return None
