"""The header that makes a repeated call harmless."""

from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

MAX_KEY = 100

KEY = OpenApiParameter(
    "Idempotency-Key",
    str,
    OpenApiParameter.HEADER,
    required=True,
    description="One key per submission; a repeated call with the same key has no further effect.",
)


def key_of(request: Request) -> str:
    """The caller's key. Raises ValidationError if it is missing or cannot be one."""
    key: str = request.headers.get("Idempotency-Key", "")
    if not 0 < len(key) <= MAX_KEY or not key.isprintable():
        raise ValidationError(
            f"the header Idempotency-Key is required, with at most {MAX_KEY} characters"
        )
    return key
