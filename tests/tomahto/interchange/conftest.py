from tests.tomahto.interchange.files import write

__all__ = ["write"]
