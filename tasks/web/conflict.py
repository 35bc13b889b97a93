"""What cannot be done as things stand."""

from rest_framework.exceptions import APIException


class Conflict(APIException):
    """It cannot be done as things stand."""

    status_code = 409
