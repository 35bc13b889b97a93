"""Transformers of some 100 kB with random weights, saved as real ones are."""

import re
import string
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.tomahto.matching.examples import EXAMPLES

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

# whatever else an example has: how well the models learn by heart depends on the words there are
_SAID = (f"LabelledPair(pair={each.pair}, correct={each.correct})" for each in EXAMPLES)
_WORDS = re.findall(r"\w+", " ".join(_SAID).lower())
_MARKERS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


def save_tiny_bert(
    folder: Path, labels: Sequence[str] = ("not-equivalent", "equivalent"), *, seed: int = 0
) -> str:
    """A BERT with a head for these labels; returns the location."""
    from transformers import BertConfig, BertForSequenceClassification

    config = BertConfig(
        **_bert_shape(),
        id2label=dict(enumerate(labels)),
        label2id={label: index for index, label in enumerate(labels)},
    )
    _begin(seed)
    BertForSequenceClassification(config).save_pretrained(folder)
    _tokenizer().save_pretrained(folder)
    return str(folder)


def save_tiny_encoder(folder: Path) -> str:
    """A BERT as it is published: without a head for classes."""
    from transformers import BertConfig, BertModel

    _begin(0)
    BertModel(BertConfig(**_bert_shape())).save_pretrained(folder)
    _tokenizer().save_pretrained(folder)
    return str(folder)


def save_tiny_reader(folder: Path, *, seed: int = 0, positions: int = 64) -> str:
    """A BERT with a head for spans that reads `positions` tokens; returns the location."""
    from transformers import BertConfig, BertForQuestionAnswering

    _begin(seed)
    config = BertConfig(**{**_bert_shape(), "max_position_embeddings": positions})
    BertForQuestionAnswering(config).save_pretrained(folder)
    tokenizer = _tokenizer()
    _join_pairs(tokenizer)
    tokenizer.save_pretrained(folder)
    return str(folder)


def save_tiny_gpt(
    folder: Path, *, seed: int = 0, chat_template: str | None = None, positions: int = 256
) -> str:
    """A decoder alone; with a chat template it is asked as an assistant."""
    from transformers import GPT2Config, GPT2LMHeadModel

    _begin(seed)
    tokenizer = _tokenizer()
    tokenizer.eos_token = "[SEP]"
    tokenizer.chat_template = chat_template
    config = GPT2Config(
        vocab_size=len(tokenizer),
        n_embd=32,
        n_layer=2,
        n_head=2,
        n_positions=positions,
        initializer_range=0.3,
        bos_token_id=tokenizer.cls_token_id,
        eos_token_id=tokenizer.sep_token_id,
    )
    GPT2LMHeadModel(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return str(folder)


def save_tiny_t5(folder: Path, *, seed: int = 0) -> str:
    """An encoder and decoder that starts from its padding, as T5 does; returns the location."""
    from transformers import T5Config, T5ForConditionalGeneration

    _begin(seed)
    tokenizer = _tokenizer()
    config = T5Config(
        vocab_size=len(tokenizer),
        d_model=32,
        d_kv=16,
        d_ff=64,
        num_layers=1,
        num_heads=2,
        dropout_rate=0.0,
        pad_token_id=tokenizer.pad_token_id,
        eos_token_id=tokenizer.sep_token_id,
    )
    config.decoder_start_token_id = tokenizer.pad_token_id
    T5ForConditionalGeneration(config).save_pretrained(folder)
    tokenizer.eos_token = "[SEP]"
    tokenizer.save_pretrained(folder)
    return str(folder)


def _begin(seed: int) -> None:
    import torch
    from transformers.utils import logging

    logging.disable_progress_bar()
    torch.set_num_threads(1)
    torch.manual_seed(seed)


def _bert_shape() -> dict[str, Any]:
    return {
        "vocab_size": len(_tokenizer()),
        "hidden_size": 32,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "intermediate_size": 64,
        "max_position_embeddings": 64,
        "initializer_range": 0.3,  # with the usual 0.02 all inputs would score nearly alike
    }


def _join_pairs(tokenizer: "PreTrainedTokenizerFast") -> None:
    """Let it put the markers between two texts by itself, as published tokenizers do."""
    from tokenizers.processors import TemplateProcessing

    tokenizer.backend_tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[
            (marker, tokenizer.convert_tokens_to_ids(marker)) for marker in ("[CLS]", "[SEP]")
        ],
    )


def _tokenizer() -> "PreTrainedTokenizerFast":
    """Words and, for all others, their letters."""
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    letters = [*string.ascii_lowercase, *string.digits, *string.punctuation]
    pieces = [*_MARKERS, *_WORDS, *letters, *(f"##{letter}" for letter in letters)]
    vocabulary = {piece: number for number, piece in enumerate(dict.fromkeys(pieces))}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
    )
