"""A release as it lies in its folder: manifest, digest, signature, reading."""
