#!/usr/bin/env python
"""Django's command line. `./run manage COMMAND` calls it in the environment that ./run makes."""

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line

from annotation_site.env import SettingError

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation_site.settings")
    try:
        execute_from_command_line(sys.argv)
    except (ImproperlyConfigured, SettingError) as error:
        sys.exit(f"{type(error).__name__}: {error}")
