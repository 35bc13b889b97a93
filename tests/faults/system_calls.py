"""The system calls of traced servers between a request and its answer."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

TRACED = "recvfrom,sendto,write,pwrite64,ftruncate,fsync,fdatasync"
_LINE = re.compile(r"(?P<thread>\d+) +(?P<time>\d+\.\d+) (?P<text>.*)")
_UNFINISHED = " <unfinished ...>"
_RESUMED = re.compile(r"<\.\.\. \w+ resumed>")
_ON_A_FILE = re.compile(r"(?P<call>\w+)\(\d+<(?P<path>/[^>]*)>")
_CHANGES, _SYNCS = {"write", "pwrite64", "ftruncate"}, {"fsync", "fdatasync"}


def wrapper(
    strace: Path, output: Path, *, traced: str = TRACED, length: int = 80
) -> tuple[str, ...]:
    """The command that becomes another, all of whose processes and threads are traced.

    Of data no more than `length` bytes are written down.
    """
    options = ("-D", "--seccomp-bpf", "-f", "-y", "-ttt", "-s", str(length), "-e", "signal=none")
    return (str(strace), *options, "-e", f"trace={traced}", "-o", str(output))


@dataclass(eq=False)
class Call:
    """A system call as strace writes it down, without its result until it has returned."""

    text: str
    has_returned: bool = False


@dataclass
class Answered:
    """A request that was answered with success: the files that were changed meanwhile.

    `synced` are those of which a change was followed by a sync, `unsynced` those of which the last
    one was not.
    """

    synced: set[str] = field(default_factory=set)
    unsynced: set[str] = field(default_factory=set)

    def note(self, call: str, path: str) -> None:
        if call in _CHANGES:
            self.unsynced.add(path)
        elif call in _SYNCS and path in self.unsynced:
            self.unsynced.remove(path)
            self.synced.add(path)


def answered(outputs: Sequence[Path], *, request: str, files: str) -> list[Answered]:
    """The successful answers to requests that begin with these words, one after another.

    Only files whose path begins with `files` count.
    """
    found, current = [], None
    for call in _calls(outputs):
        if call.startswith("recvfrom(") and f'"{request}' in call:
            current = Answered()
        elif current is None:
            continue
        elif call.startswith("sendto(") and '"HTTP/1.1 2' in call:
            found.append(current)
            current = None
        elif (named := _ON_A_FILE.match(call)) and named["path"].startswith(files):
            current.note(named["call"], named["path"])
    return found


def _calls(outputs: Sequence[Path]) -> Iterator[str]:
    """Each call, when it had returned; one that sends, when it began."""
    for call in steps(outputs):
        if call.has_returned != call.text.startswith("sendto("):
            yield call.text


def steps(outputs: Sequence[Path]) -> Iterator[Call]:
    """Each call twice, as time went: when it began, and when it had returned."""
    begun: dict[str, Call] = {}
    for thread, text in _lines(outputs):
        if not (resumed := _RESUMED.match(text)):
            begun[thread] = call = Call(text.removesuffix(_UNFINISHED))
            yield call
        elif thread in begun:
            call = begun[thread]
            call.text += text[resumed.end() :]
        else:
            continue
        if not text.endswith(_UNFINISHED):
            call.has_returned = True
            yield begun.pop(thread)


def _lines(outputs: Sequence[Path]) -> list[tuple[str, str]]:
    """Thread and text of every line of all outputs, as time went."""
    texts = (output.read_text(errors="replace") for output in outputs)
    lines = [found for text in texts for found in map(_LINE.match, text.splitlines()) if found]
    lines.sort(key=lambda line: float(line["time"]))
    return [(line["thread"], line["text"]) for line in lines]
