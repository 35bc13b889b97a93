from tests.exporters.fixtures import hub_folder, release, written

__all__ = ["hub_folder", "release", "written"]
