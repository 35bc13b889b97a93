"""Storage of the files of releases: a folder, or an S3-compatible object store.

Pages, API and downloads know `interface.ReleaseFiles` alone; `places` says what stands behind a
release.
"""
