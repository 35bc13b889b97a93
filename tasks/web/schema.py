"""Answers that every operation may give, described once for all of them."""

from typing import Any

_ANSWERS = {
    "401": "No valid token.",
    "429": "Too many calls: wait as long as Retry-After says.",
    "503": "Database or release store unavailable, busy or slow: wait as long as Retry-After says.",
}


def add_common_answers(
    result: dict[str, Any],
    generator: object,  # noqa: ARG001 - drf-spectacular's signature
    request: object,  # noqa: ARG001 - the same
    public: bool,  # noqa: ARG001 - the same
) -> dict[str, Any]:
    """Describe them in the schema, in the shape of every error."""
    error = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    for path in result["paths"].values():
        for operation in path.values():
            for status, text in _ANSWERS.items():
                answer = {"description": text, "content": error}
                operation["responses"].setdefault(status, answer)
    return result
