from tests.exporters.fixtures import release, written

__all__ = ["release", "written"]
