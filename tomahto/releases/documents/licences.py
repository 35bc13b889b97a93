"""Licences that data is released under, by the names people give them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Licence:
    """`spdx` is its identifier in the SPDX list, `hub` the Hugging Face hub's."""

    spdx: str
    hub: str
    name: str
    url: str


def _creative_commons(spdx: str, name: str, path: str) -> Licence:
    return Licence(spdx, spdx.lower(), name, f"https://creativecommons.org/{path}/")


_LICENCES = (
    _creative_commons("CC0-1.0", "Creative Commons Zero v1.0 Universal", "publicdomain/zero/1.0"),
    *(
        _creative_commons(
            f"CC-{terms.upper()}-4.0",
            f"Creative Commons {name} 4.0 International",
            f"licenses/{terms}/4.0",
        )
        for terms, name in (
            ("by", "Attribution"),
            ("by-sa", "Attribution Share Alike"),
            ("by-nd", "Attribution No Derivatives"),
            ("by-nc", "Attribution Non Commercial"),
            ("by-nc-sa", "Attribution Non Commercial Share Alike"),
            ("by-nc-nd", "Attribution Non Commercial No Derivatives"),
        )
    ),
    Licence(
        "ODC-By-1.0",
        "odc-by",
        "Open Data Commons Attribution License v1.0",
        "https://opendatacommons.org/licenses/by/1-0/",
    ),
    Licence(
        "ODbL-1.0",
        "odbl",
        "Open Data Commons Open Database License v1.0",
        "https://opendatacommons.org/licenses/odbl/1-0/",
    ),
    Licence(
        "PDDL-1.0",
        "pddl",
        "Open Data Commons Public Domain Dedication & License 1.0",
        "https://opendatacommons.org/licenses/pddl/1-0/",
    ),
    Licence(
        "Apache-2.0",
        "apache-2.0",
        "Apache License 2.0",
        "https://www.apache.org/licenses/LICENSE-2.0",
    ),
    Licence("MIT", "mit", "MIT License", "https://opensource.org/license/mit"),
)
_BY_NAME = {name.lower(): each for each in _LICENCES for name in (each.spdx, each.hub)}


def licence_named(name: str) -> Licence | None:
    """The licence with this identifier, in whatever case; None if it is not known here."""
    return _BY_NAME.get(" ".join(name.split()).lower())
