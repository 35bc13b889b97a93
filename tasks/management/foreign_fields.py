"""The option that says where the file of another tool has our fields."""

from argparse import ArgumentParser


def add_map_option(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--map",
        action="append",
        default=[],
        metavar="FIELD=PLACE",
        help="where a file of label-studio or doccano has a field, as in question=data.q;"
        " as often as needed; see docs/formats.md",
    )
