#!/usr/bin/env bash
# down.sh STATE: ends the master and the agents that up.sh started, and all that runs under the agents.
set -uo pipefail
[ -d "${1:?folder of the state}" ] || exit 0
state=$(cd "$1" && pwd -P)
for file in "$state"/agent?.pid "$state"/master.pid; do
    [ -f "$file" ] || continue
    kill -9 "$(cat "$file")" 2>/dev/null
    rm -f "$file"
done
# executors and tasks are in sessions of their own: each works in a folder of its agent
for round in 1 2 3; do
    for process in /proc/[0-9]*; do
        case $(readlink "$process/cwd" 2>/dev/null) in
        "$state"/*) kill -9 "${process#/proc/}" 2>/dev/null ;;
        esac
    done
    sleep 0.2
done
exit 0
