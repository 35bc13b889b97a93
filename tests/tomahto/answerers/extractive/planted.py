"""Questions whose answers follow a rule that a tiny reader can learn: it is always one of NAMES."""

import random

from tomahto.answerers.extractive.cross_fit import CrossFitOptions
from tomahto.answerers.extractive.training import LabelledQuestion, SpanTrainingOptions

NAMES = ("ada", "babbage", "etna", "fuji", "geneva", "japan")
_OTHERS = ("red", "king", "lake", "sink", "the", "wolf", "when", "city", "pair", "eight", "mount")
SMALL = CrossFitOptions(
    folds=3,
    max_answer_tokens=3,
    training=SpanTrainingOptions(
        epochs=2, batch_size=8, learning_rate=3e-3, max_length=64, stride=16
    ),
)


def planted_questions(count: int) -> list[LabelledQuestion]:
    """One name among seven other words each, three questions to a document."""
    draw = random.Random(0)
    questions = []
    for number in range(count):
        name = NAMES[number % len(NAMES)]
        words = draw.sample(_OTHERS, 7)
        words.insert(draw.randrange(8), name)
        context = " ".join(words)
        questions.append(
            LabelledQuestion(
                f"q{number}",
                f"what {number}?",
                context,
                (name,),
                (context.index(name),),
                f"d{number // 3}",
            )
        )
    return questions
