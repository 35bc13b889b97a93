"""A dataset in the formats of papers and of other tools.

What is written here is read again by the module of the same name in `tomahto.interchange.formats`.
"""
