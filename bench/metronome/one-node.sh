#!/usr/bin/env bash
# Measures the CPU time per request of metronome and of latte at the same rate against one Cassandra 5.0.9.
#
#   bench/metronome/one-node.sh [RATE] [SECONDS]      LATTE=path/to/latte
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
. "$root/metronome/tests/cassandra.sh"
rate=${1:-5000}
seconds=${2:-20}
latte=${LATTE:-$(command -v latte || true)}
metronome=${METRONOME:-$root/metronome/target/release/metronome}
if ! why=$(cassandra_available); then
    echo "skipped: $why"
    exit 0
fi
dir=$(mktemp -d)
trap 'cassandra_stop; rm -rf "$dir"' EXIT
export METRONOME_PASSWORD=cassandra
CASSANDRA_TIER=4 CASSANDRA_HEAP=1g cassandra_start "$dir/node" 127.8.2.1
login=(--hosts 127.8.2.1 --user cassandra)
until timeout 60 "$metronome" run writes "${login[@]}" --rate 3000 --duration 10s -q -o "$dir/warm.json" \
    >/dev/null 2>&1; do sleep 1; done

# row NAME COMMAND...: runs a command and prints its row.
row() {
    local name=$1 user system
    shift
    /usr/bin/time -f '%U %S' -o "$dir/time" timeout 120 "$@" >"$dir/out" 2>&1 || tail -3 "$dir/out" >&2
    read -r user system < <(tail -1 "$dir/time")
    awk -v n="$name" -v r="$rate" -v d="$seconds" -v u="$user" -v s="$system" 'BEGIN {
        printf "| %s | %d | %.2f | %.1f |\n", n, r*d, u+s, (u+s)/(r*d)*1e6 }'
}

echo "$(date -u +%FT%TZ), $(nproc) cores, load $(cut -d' ' -f1 /proc/loadavg), $rate/s for $seconds s"
echo
echo '| generator | requests | CPU-s | CPU us per request |'
echo '|---|---|---|---|'
row metronome "$metronome" run writes "${login[@]}" --rate "$rate" --duration "${seconds}s" -q -o "$dir/m.json"
cp "$dir/out" "$dir/metronome.out"
if [ -n "$latte" ]; then
    env -C "$dir" "$latte" schema "$here/writes.rn" --user cassandra --password cassandra 127.8.2.1 >/dev/null 2>&1
    row latte env -C "$dir" "$latte" run "$here/writes.rn" --user cassandra --password cassandra 127.8.2.1 \
        -r "$rate" -d "${seconds}s" -t 1 -p 512 -q -o "$dir/latte.json"
fi
echo
cat "$dir/metronome.out"
