"""Texts that a model writes for a benchmark: kept as drafts until a person approves them.

What a model wrote never becomes an item by itself. Drafts and faulty replies are stored beside the
items, and only `approve` takes a draft the way of every import.
"""

import hashlib
import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now

from tasks.intake.workflow.items import ItemIntake, store_rows
from tasks.models import (
    AuditAction,
    Campaign,
    GeneratedKind,
    GeneratedState,
    GeneratedText,
    Membership,
    Question,
)
from tasks.prefill.queries.generated import last_round, seeds_to_show, wanted_texts
from tasks.storing.acts import record
from tasks.storing.database import batches
from tomahto.endpoint.chat import ChatEndpoint
from tomahto.generation import candidates, rules, statements
from tomahto.generation.candidates import SourceQuestion
from tomahto.generation.drafts import Draft, Fault, NearDuplicates
from tomahto.generation.rules import GUIDELINE_SEEDS, Seed
from tomahto.interchange.reading.records import ItemRow, Source
from tomahto.text.normalisation import normalise

USUAL_ROUNDS: Final = 3
"""The number of attempts at a target that is not full, within one job."""

PROTOCOLS: Final[Mapping[GeneratedKind, tuple[str, ...]]] = {
    GeneratedKind.CANDIDATES: ("cap",),
    GeneratedKind.STATEMENTS: ("statement",),
    GeneratedKind.RULES: ("rules", "ae"),
}
"""The campaigns that can rate generated texts."""

MAX_GENERATED: Final = 100_000
USUAL_NUMBER: Final[Mapping[GeneratedKind, int]] = {
    GeneratedKind.CANDIDATES: 10,
    GeneratedKind.STATEMENTS: 100,
    GeneratedKind.RULES: 10,
}

_Results: TypeAlias = Sequence[Draft | Fault]

_NO_QUESTION: Final = "no question of the campaign is left for this text"
_SHORT_REPLY: Final = "the reply contains fewer texts than requested"
_DIFFERS: Final = "the second verdict differs from the first, so a person has to approve it"


class GenerationRefused(ValueError):
    """The order does not suit the campaign; the message says why."""


class Progress(NamedTuple):
    """The number of drafts there are, and of those that are wanted.

    At an end with fewer, how many are `missing` of each target, and how often each of the `reasons`
    kept one of these from getting a draft.
    """

    done: int
    wanted: int
    missing: Mapping[str, int] = MappingProxyType({})
    reasons: Mapping[str, int] = MappingProxyType({})


def wanted_counts(kind: GeneratedKind, number: int) -> dict[str, int]:
    """The number of drafts for each target: `number` per class or rule, or in all statements."""
    if kind == GeneratedKind.CANDIDATES:
        return dict.fromkeys(candidates.CLASSES, number)
    if kind == GeneratedKind.STATEMENTS:
        return statements.cell_counts(number)
    return rules.target_counts(number)


def suitable_kinds(campaign: Campaign) -> list[GeneratedKind]:
    """The texts that the raters of the campaign's protocol can judge."""
    return [kind for kind, protocols in PROTOCOLS.items() if campaign.protocol in protocols]


def require_suitable(campaign: Campaign, kind: GeneratedKind) -> None:
    """Raises GenerationRefused if the campaign's protocol cannot rate it, or nothing is there to
    make it from."""
    if campaign.protocol not in PROTOCOLS[kind]:
        raise GenerationRefused(
            f"{kind} are for campaigns of the protocol {' or '.join(PROTOCOLS[kind])}, "
            f"and this one is {campaign.protocol}"
        )
    if kind == GeneratedKind.CANDIDATES and not _sources(campaign):
        raise GenerationRefused("the campaign has no question with a reference to start from")


def generate(
    *,
    campaign: Campaign,
    kind: GeneratedKind,
    number: int,
    endpoint: ChatEndpoint,
    rounds: int = USUAL_ROUNDS,
    seeds: Sequence[Seed] = GUIDELINE_SEEDS,
) -> Iterator[Progress]:
    """Fill every target up to what is wanted, batch by batch, in so many rounds.

    A round asks for all that is missing; for pairs by rule it asks for an equal share of it, so
    that what earlier rounds made, beside the `seeds`, is shown in later ones (CFMatch §3.2).

    Pending and approved drafts count, but pending ones whose two verdicts differ do not; rejected
    and failed ones are replaced by others. Repeating it after a crash asks for nothing that is
    there. Raises GenerationRefused.
    """
    require_suitable(campaign, kind)
    counts = wanted_counts(kind, number)
    maker = _Maker(campaign, kind, endpoint, number, seeds)
    wanted = sum(counts.values())
    yield Progress(maker.done(counts), wanted)
    for left in reversed(range(1, rounds + 1)):
        for _batch in maker.fill(counts, rounds_left=left):
            yield Progress(maker.done(counts), wanted)
    if missing := maker.missing(counts):
        yield Progress(maker.done(counts), wanted, missing, maker.reasons(missing))


class _Maker:
    """Asks for the drafts of one kind and stores what comes."""

    def __init__(
        self,
        campaign: Campaign,
        kind: GeneratedKind,
        endpoint: ChatEndpoint,
        number: int,
        seeds: Sequence[Seed],
    ) -> None:
        self._endpoint = endpoint
        self._number = number
        self._seeds = seeds if kind == GeneratedKind.RULES else ()
        self._round = last_round(campaign)
        self._lost: Counter[tuple[str, str]] = Counter()
        self._texts = GeneratedText.objects.filter(campaign=campaign, kind=kind)
        self._campaign, self._kind = campaign, kind
        self._sources = _sources(campaign) if kind == GeneratedKind.CANDIDATES else []
        known = self._texts.exclude(state=GeneratedState.FAILED)
        self._seen: set[tuple[str | None, str]] = {
            (key, normalise(text)) for key, text in known.values_list("source__key", "candidate")
        }
        self._questions = NearDuplicates(
            (*(seed.question for seed in self._seeds), *known.values_list("question", flat=True))
        )

    def done(self, counts: Mapping[str, int]) -> int:
        """Drafts that count, none beyond what is wanted of its target."""
        return sum(counts.values()) - sum(self.missing(counts).values())

    def missing(self, counts: Mapping[str, int]) -> dict[str, int]:
        """The number of drafts that each target lacks, of those that lack any."""
        found = {target: self._missing(target, count) for target, count in counts.items()}
        return {target: count for target, count in found.items() if count}

    def reasons(self, targets: Mapping[str, int]) -> dict[str, int]:
        """The number of times that each reason kept one of the targets from getting a draft."""
        found: Counter[str] = Counter()
        for (target, reason), count in self._lost.items():
            if target in targets:
                found[reason] += count
        return dict(found.most_common())

    def fill(self, counts: Mapping[str, int], *, rounds_left: int) -> Iterator[None]:
        self._round += 1
        for target, count in counts.items():
            missing = self._missing(target, count)
            if self._kind == GeneratedKind.RULES:
                missing = math.ceil(missing / rounds_left)
            for asked, draw, results in self._ask(target, missing):
                self._store([self._counted(target, result) for result in results], draw)
                short = asked - sum(result.texts for result in results)
                if short:
                    self._lost[target, _SHORT_REPLY] += short
                yield

    def _missing(self, target: str, count: int) -> int:
        kept = wanted_texts(self._campaign, self._kind).filter(target=target).count()
        return max(0, count - kept)

    def _draw(self, target: str) -> int:
        """The number of texts that were meant for it. Every reply adds at least one, so the cache
        can answer only what was asked and not stored before a crash."""
        meant = Q(target=target) | Q(**{f"provenance__{rules.WRITTEN_FOR}": target})
        return self._texts.filter(meant).count()

    def _ask(self, target: str, missing: int) -> Iterator[tuple[int, int, _Results]]:
        """The replies that `missing` drafts take if every one of them is good, each with how many
        it was asked for and its draw. Each has to be stored before the next is asked for."""
        if self._kind == GeneratedKind.CANDIDATES:
            sources = self._unused(target)[:missing]
            if len(sources) < missing:
                self._lost[target, _NO_QUESTION] = missing - len(sources)
            for start in range(0, len(sources), candidates.BATCH):
                batch, draw = sources[start : start + candidates.BATCH], self._draw(target)
                yield (
                    len(batch),
                    draw,
                    candidates.generate_candidates(self._endpoint, target, batch, draw=draw),
                )
            return
        size = rules.BATCH if self._kind == GeneratedKind.RULES else statements.BATCH
        for start in range(0, missing, size):
            count, draw = min(size, missing - start), self._draw(target)
            yield count, draw, self._written(target, count, draw)

    def _written(self, target: str, count: int, draw: int) -> _Results:
        """Texts that bring their own question."""
        if self._kind == GeneratedKind.STATEMENTS:
            return statements.generate_statements(self._endpoint, target, count, draw=draw)
        shown = seeds_to_show(self._campaign, target, self._seeds, draw=draw)
        return rules.generate_rule_pairs(
            self._endpoint, target, count, draw=draw, seeds=shown, round_number=self._round
        )

    def _unused(self, label: str) -> list[SourceQuestion]:
        """The questions without an answer of the class yet, in the order the class takes them."""
        tried = self._texts.filter(target=label).exclude(state=GeneratedState.FAILED)
        used = set(tried.values_list("source__key", flat=True))
        order = candidates.sources_of_class(self._sources, label, self._number)
        return [source for source in order if source.key not in used]

    @transaction.atomic
    def _store(self, results: _Results, draw: int) -> None:
        keys = [result.question_key for result in results]
        sources = {
            question.key: question
            for question in Question.objects.filter(campaign=self._campaign, key__in=keys)
        }
        GeneratedText.objects.bulk_create(
            (
                self._row(result, sources.get(result.question_key), f"{draw} {place}")
                for place, result in enumerate(results)
            ),
            ignore_conflicts=True,
        )

    def _counted(self, target: str, result: Draft | Fault) -> Draft | Fault:
        """The result, or a fault in place of what has been there before (CAP App. B.5.1); each
        reason why a target got no draft is counted."""
        if isinstance(result, Draft):
            text = (result.question_key or None, normalise(result.candidate))
            if result.question_key and text in self._seen:
                result = _as_fault(result, "the question has the same answer already")
            elif not result.question_key and not self._questions.add(result.question):
                result = _as_fault(result, "the question is a near-duplicate of an existing one")
            else:
                self._seen.add(text)
        if isinstance(result, Fault):  # what follows the colon is of one text or reply
            self._lost[target, result.reason.partition(": ")[0]] += 1
        elif rules.WRITTEN_FOR in result.provenance:
            self._lost[target, _DIFFERS] += 1
        return result

    def _row(self, result: Draft | Fault, source: Question | None, place: str) -> GeneratedText:
        row = GeneratedText(
            campaign=self._campaign,
            kind=self._kind,
            target=result.target,
            source=source,
            system=self._endpoint.options.model,
            provenance=dict(result.provenance),
        )
        if isinstance(result, Fault):
            row.state, row.error = GeneratedState.FAILED, result.reason
        else:
            row.question, row.question_type = result.question, result.question_type
            row.reference, row.candidate = result.reference, result.candidate
        row.fingerprint = _fingerprint(row, result.question_key, place)
        return row


def _as_fault(draft: Draft, reason: str) -> Fault:
    shown = f"{reason}: {draft.question if not draft.question_key else draft.candidate}"
    return Fault(draft.target, shown, draft.provenance, draft.question_key)


def _fingerprint(row: GeneratedText, question_key: str, place: str) -> str:
    """Of a draft's texts; of a failure with its place, as a model may say the same twice."""
    raw = f"{place} {row.provenance.get('raw_reply', '')}" if row.error else ""
    parts = [row.target, question_key, row.question, row.reference, row.candidate, row.error, raw]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _sources(campaign: Campaign) -> list[SourceQuestion]:
    """The questions with a reference, in an order of their own that is always the same."""

    def shuffled(question: Question) -> bytes:
        return hashlib.sha256(f"{campaign.seed} {question.key}".encode()).digest()

    found = Question.objects.filter(campaign=campaign).exclude(references=[])
    return [
        SourceQuestion(question.key, question.text, question.context, tuple(question.references))
        for question in sorted(found, key=shuffled)
    ]


# --- review ---------------------------------------------------------------------------------


@transaction.atomic
def approve(*, campaign: Campaign, ids: Sequence[int], by: Membership) -> ItemIntake:
    """Let pending drafts become items; what is not pending any more is left as it is."""
    taken = _review(campaign, ids, by, GeneratedState.APPROVED)
    intake = store_rows(campaign=campaign, rows=[_item_row(text) for text in taken])
    if taken:
        details = {"texts": len(taken)}
        record(AuditAction.GENERATED_APPROVED, campaign=campaign, details=details, by=by)
    return intake


@transaction.atomic
def reject(*, campaign: Campaign, ids: Sequence[int], by: Membership) -> int:
    """The number of pending drafts that were rejected; others are left as they are."""
    rejected = len(_review(campaign, ids, by, GeneratedState.REJECTED))
    if rejected:
        details = {"texts": rejected}
        record(AuditAction.GENERATED_REJECTED, campaign=campaign, details=details, by=by)
    return rejected


def _review(
    campaign: Campaign, ids: Sequence[int], by: Membership, state: GeneratedState
) -> list[GeneratedText]:
    """The drafts that this call, and no other, has moved on from pending."""
    pending = GeneratedText.objects.filter(campaign=campaign, state=GeneratedState.PENDING)
    taken: list[GeneratedText] = []
    for batch in batches(sorted(set(ids))):
        # locked, so that nobody else moves them on; SQLite has one writer
        locked = pending.filter(pk__in=batch).select_for_update(of=("self",)).order_by("id")
        found = list(locked.select_related("source__document"))
        pending.filter(pk__in=[text.pk for text in found]).update(
            state=state, reviewed_by=by, reviewed_at=Now()
        )
        taken += found
    return taken


def _item_row(text: GeneratedText) -> ItemRow:
    """As an importer would give it. A text with a question of its own is its own document."""
    source = text.source
    name = f"generated-{text.fingerprint[:16]}"
    return ItemRow(
        source=Source(f"generated text {text.pk}", 1),
        id=None,
        question_key=source.key if source else name,
        document=source.document.key if source else name,
        question=source.text if source else text.question,
        context=source.context if source else "",
        references=tuple(source.references) if source else (text.reference,),
        candidate=text.candidate,
        systems=(text.system,),
        question_type=source.question_type if source else text.question_type,
        intended=text.target,
    )
