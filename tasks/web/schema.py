"""What every operation may answer, said once for all of them."""

from typing import Any

_ANSWERS = {
    "401": "The token is not valid, or there is none.",
    "429": "Too many calls: Retry-After says when to come back.",
    "503": "Database or release store is away, busy or slow: Retry-After says when to ask again.",
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
