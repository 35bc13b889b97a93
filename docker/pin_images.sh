#!/bin/sh
# Pins the images of docker/compose.yaml to what their names mean now: writes their digests into
# docker/.env, or the file that is given. Needs Docker and its registry.
set -eu
file=${1:-$(dirname "$0")/.env}
pinned=$(
    for pair in PYTHON=python:3.11-slim-bookworm POSTGRES=postgres:17-bookworm \
        REDIS=redis:7.4-bookworm CADDY=caddy:2.10; do
        image=${pair#*=}
        digest=$(docker buildx imagetools inspect "$image" --format '{{.Manifest.Digest}}')
        case $digest in sha256:*) ;; *) echo "no digest of $image: $digest" >&2; exit 1 ;; esac
        echo "TOMAHTO_${pair%%=*}_IMAGE=$image@$digest"
    done
)
others=$(grep -v '^TOMAHTO_[A-Z]*_IMAGE=' "$file" || true)
printf '%s\n%s\n' "$others" "$pinned" > "$file"
