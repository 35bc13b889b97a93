"""A folder of an object store, as the rows of releases name it."""

from dataclasses import dataclass

SCHEME = "s3://"


@dataclass(frozen=True, slots=True)
class ObjectPlace:
    """A folder of an object store; `prefix` neither begins nor ends with a slash."""

    bucket: str
    prefix: str

    def __str__(self) -> str:
        return f"{SCHEME}{self.bucket}/{self.prefix}"

    def __truediv__(self, name: str) -> "ObjectPlace":
        return ObjectPlace(self.bucket, f"{self.prefix}/{name}".lstrip("/"))

    def key(self, path: str) -> str:
        """Of the object at a path below this place."""
        return f"{self.prefix}/{path}".lstrip("/")


def object_place(url: str) -> ObjectPlace:
    """From `s3://BUCKET/PREFIX`; the prefix may be missing."""
    bucket, _, prefix = url.removeprefix(SCHEME).partition("/")
    return ObjectPlace(bucket, prefix.strip("/"))
