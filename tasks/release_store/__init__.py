"""Where the files of the site's releases live: in a folder, or in an S3-compatible object store.

Pages, API and downloads know `interface.ReleaseFiles` alone; `places` says what stands behind a
release.
"""
