"""The base of `./run` and `./test` before anything is installed: the standard library only.

system                    folders of the checkout, locks, processes, notes for people
environment               the private virtual environments and their lock files
programs                  where PostgreSQL, Redis, OpenSSH and Chromium come from
services                  private PostgreSQL, Redis and S3 servers on free ports
serving, checks, commands what the two commands do
"""


class BootstrapError(Exception):
    """Something the two commands cannot go on without; its text is shown as it is."""
