"""The papers' published figures, as data: one TOML file per paper, read strictly."""
