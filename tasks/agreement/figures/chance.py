"""How often the tests of a look may raise a false alarm, and the seed of what they draw."""

from dataclasses import dataclass

from tomahto.estimates.bootstrap import Bootstrap

MIN_DRAWS = 2000
_DRAWS_PER_LEVEL = 4  # so that the smallest p-value lies well below the level


@dataclass(frozen=True, slots=True)
class Chance:
    """The level of a look, and the seed of what is drawn."""

    level: float
    seed: int

    @property
    def draws(self) -> Bootstrap:
        """Draws enough for a p-value below the level."""
        return Bootstrap(max(MIN_DRAWS, round(_DRAWS_PER_LEVEL / self.level)), self.seed)
