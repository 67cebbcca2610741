#!/usr/bin/env bash
# A careful rolling restart with nodetool: drain, stop and start each node, then wait until it sees every node Up and
# Normal.
# The waits are OpsCenter's defaults for a rolling restart (docs.datastax.com, OpsCenter 6.8, "Restarting a cluster"):
# 30 s between stop and start (restart_delay), a check every 5 s (rolling_restart_retry_delay), 60 s after each node.
# Usage: careful.sh NODE_DIRECTORY ...
set -eu
stopped_s=${STOPPED_S:-30} check_s=${CHECK_S:-5} after_s=${AFTER_S:-60}
all=$#

log() { echo "$(date +%T) $*"; }

for node in "$@"; do
    pid=$(cat "$node/pid")
    log "$node: drain"
    "$node/nodetool" drain
    kill "$pid"
    while kill -0 "$pid" 2>/dev/null; do sleep 0.2; done
    log "$node: stopped"
    sleep "$stopped_s"
    setsid --fork "$node/start" </dev/null
    until [ "$("$node/nodetool" status 2>/dev/null | grep -c '^UN ')" = "$all" ]; do sleep "$check_s"; done
    log "$node: sees $all nodes UN"
    [ "$node" = "${!#}" ] || sleep "$after_s"
done
