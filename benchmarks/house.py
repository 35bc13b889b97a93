"""The weight of the house: lines and files of Python outside tests, by room.

    python -m benchmarks.house

A room is a folder of the checkout, or of `tasks` and `tomahto`. Only files that git knows count.
"""

import argparse
import subprocess
from collections import Counter
from pathlib import Path

from bootstrap.system import ROOT

LINES, FILES = 80_000, 650


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    command = ["git", "ls-files", "*.py", ":!tests"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    lines, files = Counter[str](), Counter[str]()
    for name in listed.stdout.splitlines():
        room = _room(Path(name))
        files[room] += 1
        lines[room] += len((ROOT / name).read_text(encoding="utf-8").splitlines())
    for room, count in lines.most_common():
        print(f"{room:22} {count:8,} lines {files[room]:6,} files")
    print(f"{'everything':22} {lines.total():8,} lines {files.total():6,} files")
    print(f"{'budget':22} {LINES:8,} lines {FILES:6,} files")


def _room(path: Path) -> str:
    parts = path.parts[:2] if path.parts[0] in ("tasks", "tomahto") else path.parts[:1]
    return "/".join(part for part in parts if not part.endswith(".py")) or "."


if __name__ == "__main__":
    main()
