"""The formats in which files come: a module each, found by being there (`table.py`).

A format that a release can have as well is written by the module of the same name in
`tomahto.releases.formats`, which has the names that both need.
"""
