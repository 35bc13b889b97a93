"""How much `./test` runs: of which tests, on which database."""

from enum import StrEnum


class Extent(StrEnum):
    """From what is tried between two changes to what takes as long as it takes."""

    FAST = "fast"  # quick tests on SQLite
    USUAL = "usual"  # all behaviour once, PostgreSQL where the dialect matters
    ALL = "all"  # every test on both databases, modules in an order drawn anew
    LONG = "long"  # the same, with every place where a release can be cut off or damaged

    @property
    def has_every_test(self) -> bool:
        return self in (Extent.ALL, Extent.LONG)


# Kinds of tests that are slow whatever they try: markers of pyproject.toml.
SLOW_KINDS = ("browser", "faults", "models", "thorough")
REPRESENTATIVE = "representative"  # the one of its slow kind that runs nevertheless

# Where SQL is written for one of the databases, or their locks, types and triggers are relied on.
DIALECT_MATTERS = (
    "tests/annotation_site/test_postgres.py",
    "tests/faults/test_kills.py",  # the database is one of what it kills
    "tests/faults/test_races.py",
    "tests/tasks/adjudication/queries",
    "tests/tasks/audit",
    "tests/tasks/events",
    "tests/tasks/intake/workflow",
    "tests/tasks/jobs",
    "tests/tasks/models",
    "tests/tasks/rating/workflow",
    "tests/tasks/releases/queries",
    "tests/tasks/storing",
    "tests/tasks/talk",
    "tests/tasks/votes",
    "tests/tasks/whole/test_misled_planner.py",
    "tests/tasks/whole/test_queries.py",
)

# What never touches the database, or brings its own, need not run on PostgreSQL again.
SQLITE_ONLY = (
    "tests/bootstrap",
    "tests/demo",
    "tests/docker",
    "tests/docs",
    "tests/examples",
    "tests/exporters",
    "tests/journeys",
    "tests/security",
    "tests/tomahto",
)


def chosen_markers(extent: Extent) -> tuple[str, ...]:
    """pytest's option for the tests of an extent."""
    if extent.has_every_test:
        return ()
    quick = " and ".join(f"not {kind}" for kind in SLOW_KINDS)
    if extent is Extent.FAST:
        return ("-m", f"{quick} and not slow")
    return ("-m", f"{REPRESENTATIVE} or ({quick})")


def postgres_paths(extent: Extent) -> tuple[str, ...]:
    """What pytest is told besides so that PostgreSQL gets its part of the tests."""
    if extent.has_every_test:
        return tuple(f"--ignore={path}" for path in SQLITE_ONLY)
    return DIALECT_MATTERS
