#!/usr/bin/env bash
# Fails if the first load of the built page is larger than a phone on a bad line should wait for (gzip, in bytes).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/target/dist/web"

# What index.html names: the rest is loaded when its screen is opened.
total() {
    grep -oE "/assets/[^\"]+\.$1" index.html | sort -u | while read -r file; do gzip -9nc ".$file" | wc -c; done |
        awk '{ sum += $1 } END { print sum + 0 }'
}

check() {
    local size
    size=$(total "$1")
    echo "first load, $1: $size bytes of $2"
    [ "$size" -gt 0 ] && [ "$size" -le "$2" ] || { echo "web/sizes.sh: the first load has $size bytes of $1, the limit is $2" >&2 && exit 1; }
}

check js 90000
check css 15000
