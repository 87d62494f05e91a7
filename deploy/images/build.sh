#!/bin/sh
# Build the runtime image "banzuke-runtime" for the Docker backend of the sandbox.
#   deploy/images/build.sh [NAME]    (with DEBIAN=bookworm on Debian 12 instead of 13)
# By the Dockerfile where the base image can be pulled, else from Debian packages by mmdebstrap (one to two minutes).
set -eu
here=$(dirname "$0")
name=${1:-banzuke-runtime}
suite=${DEBIAN:-$(sed -n 's/^ARG DEBIAN=//p' "$here/arena.Dockerfile")}

from_base_image() {
    docker pull --quiet "debian:$suite-slim" && docker build --quiet --build-arg "DEBIAN=$suite" --tag "$name" "$here"
}

# Two steps, not a pipe: sh has no pipefail, and half an archive must not become an image.
from_packages() {
    command -v mmdebstrap >/dev/null || {
        echo "No base image can be pulled and mmdebstrap is missing. Install it: apt-get install mmdebstrap" >&2
        return 1
    }
    archive=$(mktemp --suffix=.tar)
    trap 'rm -f "$archive"' EXIT
    trap 'exit 1' INT TERM # dash runs no EXIT trap at a signal's end: 2 GB would stay behind
    include=$(paste --serial --delimiters=, "$here/packages.txt")
    # The JDK's installation fails without the folder.
    mmdebstrap --quiet --variant=essential --include="$include" --dpkgopt="$here/dpkg.cfg" \
        --essential-hook='mkdir -p "$1/usr/share/man/man1"' --customize-hook='chmod 711 "$1/bin/dash"' \
        "$suite" "$archive"
    docker import "$archive" "$name"
}

docker version >/dev/null || {
    echo "No Docker engine answers. Start one, or set DOCKER_HOST." >&2
    exit 1
}
from_base_image || from_packages
