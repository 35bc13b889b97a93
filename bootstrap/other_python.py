"""The Python that the system came with.

`python3` is often that of a version manager, some patches newer than what most people have.
"""

import os
import platform
import shutil
import subprocess

OLDEST = (3, 11)
_VERSION = "import platform; print(platform.python_version())"


def other_python() -> tuple[str, str] | None:
    """Path and version of the system's own Python, if it is another one and new enough."""
    program = shutil.which("python3", path=os.defpath)
    if program is None:
        return None
    done = subprocess.run([program, "-c", _VERSION], capture_output=True, text=True, check=False)
    version = done.stdout.strip()
    if not version or version == platform.python_version():
        return None
    return (program, version) if tuple(map(int, version.split(".")[:2])) >= OLDEST else None
