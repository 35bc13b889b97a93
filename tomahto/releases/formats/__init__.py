"""A dataset in the formats of papers and of other tools.

The module of the same name in `tomahto.interchange.formats` reads a format again.
"""
