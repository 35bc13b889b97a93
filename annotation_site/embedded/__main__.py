"""python -m annotation_site.embedded --host H --port N --lock FD

Started by ./run, in the environment that it has made. The lock is that of the data folder: every
process forked from this one holds it too, programs that they start do not.
"""

import os
import signal
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path

from bootstrap import BootstrapError
from bootstrap.console import note
from bootstrap.serving import Site
from bootstrap.supervision import Stopped, StopRequest


def main(arguments: Sequence[str]) -> int:
    """Serve until a signal comes: status 0, or 1 with one line of why that could not go on."""
    site = _site(arguments)
    request = StopRequest()
    # one that was ignored is inherited so, and children could not be waited for
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    from annotation_site.embedded.family import serve  # after the handlers: it imports Django

    try:
        serve(site, request)
    except Stopped:
        note("Stopped.")
    except BootstrapError as error:
        note(f"run: {error}")
        return 1
    return 0


def _site(arguments: Sequence[str]) -> Site:
    parser = ArgumentParser(prog="python -m annotation_site.embedded")
    parser.add_argument("--host", required=True)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--lock", type=int, required=True)
    options = parser.parse_args(arguments)
    os.set_inheritable(options.lock, False)
    return Site(Path(os.environ["TOMAHTO_DATA"]), options.host, options.port)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
