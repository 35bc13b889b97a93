"""The measures of `manage.py evaluate`, one module each: options, work, what a person reads."""
