"""How long clients may take, and how much they may send. Described in docs/operate.md."""

HEADER_SECONDS = 15.0
"""From a connection, or from the first byte of a later request, to the end of the headers."""

GRACE_SECONDS = 20.0
"""As long a body may come, or an answer be fetched, as slowly as it will."""

BYTES_PER_SECOND = 32 << 10
"""Of a body, or of an answer that waits to be fetched, in the mean once the grace is over."""

HEADER_BYTES = 32 << 10
"""Of a request's first line and headers together."""

CHUNK_LINE_BYTES = 4 << 10
"""Of the line before a chunk, and of the trailer."""

BODY_BYTES_OF_STRANGERS = 64 << 10
"""From who is not signed in."""

BODY_BYTES = 72_000_000
"""From who is: the largest file to import (64 MiB) and what a form says of it."""

LARGE_BODIES_OF_ONE = 4 * BODY_BYTES
"""Bytes of bodies above BODY_BYTES_OF_STRANGERS that one client may have under way."""

LARGE_BODIES = 8 * BODY_BYTES
"""The same of all clients together, in each process."""

CONNECTIONS_OF_ONE = 100
"""Connections that one client may have open, in each process."""

LINGER_SECONDS = 2.0
"""For what a client may be sending while its connection is ended."""

SENT_AT_ONCE = 1 << 20
"""Bytes that one client is sent before others have their turn."""
