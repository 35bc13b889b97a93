"""Libraries that take long to load or much memory, for tests that count what is loaded."""

from typing import Final

HEAVY: Final = (
    *("pandas", "scipy", "matplotlib", "PIL", "pyarrow", "sklearn", "xlsxwriter", "segno"),
    *("torch", "transformers", "tokenizers", "sacrebleu", "nltk", "huggingface_hub", "datasets"),
    *("redis", "boto3", "botocore", "jsonschema", "prometheus_client", "prompt_toolkit"),
)
