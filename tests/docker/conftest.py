"""The image is built in the long form alone: that takes minutes, root, and Debian's packages."""

from tests.extent import IS_LONG

collect_ignore = [] if IS_LONG else ["test_image.py"]
