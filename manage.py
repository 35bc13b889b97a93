#!/usr/bin/env python
"""Django's command line. `./run manage COMMAND` calls it in the environment that ./run makes."""

import os
import sys
from collections.abc import Sequence

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db import DatabaseError

from annotation_site.env import SettingError
from tasks.management.schema import look_at_first_use, why_unusable


def main(arguments: Sequence[str]) -> None:
    """Run the command `arguments[1]`; leaves by SystemExit with one line if it cannot be done."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation_site.settings")
    look_at_first_use(*arguments[1:2])
    try:
        execute_from_command_line(list(arguments))
    except (ImproperlyConfigured, SettingError) as error:
        sys.exit(f"{type(error).__name__}: {error}")
    except DatabaseError as error:
        if line := why_unusable(error):
            sys.exit(f"{type(error).__name__}: {line}")
        raise


if __name__ == "__main__":
    main(sys.argv)
