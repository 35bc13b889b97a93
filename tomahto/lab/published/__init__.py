"""What the papers published, as data: one TOML file per paper, read strictly."""
