"""Storage of the files of releases: a folder, or an S3-compatible object store.

Pages, API and downloads know `files.ReleaseFiles` alone; `places` says what stands behind a
release.
"""
