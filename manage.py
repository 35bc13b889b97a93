#!/usr/bin/env python
"""Django's command line. `./run manage COMMAND` calls it in the environment that ./run makes."""

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db import DatabaseError

from annotation_site.env import SettingError
from tasks.management.schema import look_at_first_use, why_unusable

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation_site.settings")
    look_at_first_use(*sys.argv[1:2])
    try:
        execute_from_command_line(sys.argv)
    except (ImproperlyConfigured, SettingError) as error:
        sys.exit(f"{type(error).__name__}: {error}")
    except DatabaseError as error:
        if line := why_unusable(error):
            sys.exit(f"{type(error).__name__}: {line}")
        raise
