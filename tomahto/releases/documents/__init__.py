"""Datasheet, citation, licence, Croissant, tables for papers."""
