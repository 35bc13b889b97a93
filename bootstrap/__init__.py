"""What `./run` and `./test` need before anything is installed: the standard library only.

environment, installers, locks   the private virtual environments and their lock files
programs, debian, embedded       where PostgreSQL, Redis, OpenSSH and Chromium come from
services                         private PostgreSQL and Redis servers on free ports
processes, places                starting and stopping processes; folders of the checkout
forks, prctl, supervision        children forked of this process, kept running
serving, checks, commands        what the two commands do
"""


class BootstrapError(Exception):
    """Something the two commands cannot go on without; its text is shown as it is."""
