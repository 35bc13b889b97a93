"""How sure a label is after the votes of one item: few votes say little, even where all agree.

Votes are draws of K labels whose shares p are unknown. With a symmetric Dirichlet prior, all K of
its parameters w / K, the posterior mean of p_k after n_k of N votes for label k is

    E(p_k) = (n_k + w / K) / (N + w)

(Gelman et al., Bayesian Data Analysis, 3rd edition, section 3.4). The prior weighs as much as w
votes that are shared out evenly. w = 1 is the prior of Perks, "Some observations on inverse
probability including a new indifference rule" (Journal of the Institute of Actuaries 73, 1947):
unlike w = K, the uniform prior of Laplace, it weighs the same whether a protocol has two labels or
eight, so three votes of three are 0.875 and 0.781, not 0.8 and 0.364.
"""

from collections.abc import Sequence

PRIOR_VOTES = 1.0


def vote_confidence(votes: Sequence[int], place: int, *, prior_votes: float = PRIOR_VOTES) -> float:
    """Posterior mean of the share of the label at `place`, between 0 and 1.

    `votes` counts one item's votes for each label of the protocol, labels without a vote included.
    `prior_votes` is w above. The values of all places sum to 1.

    Raises ValueError if a count is negative, `prior_votes` is not above 0, or there is no label.
    """
    if not votes or min(votes) < 0:
        raise ValueError(f"{tuple(votes)} are not counts of votes")
    if not prior_votes > 0:
        raise ValueError(f"a prior of {prior_votes} votes is none")
    return (votes[place] + prior_votes / len(votes)) / (sum(votes) + prior_votes)
