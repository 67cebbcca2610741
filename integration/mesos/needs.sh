#!/usr/bin/env bash
# needs.sh: what this computer lacks for a Mesos of the tests, one line each; exits with 1 if it lacks anything.
if [ -z "${MESOS_HOME:-}" ]; then
    echo "no Mesos: MESOS_HOME is not set -> install Mesos 1.11, and set MESOS_HOME to its folder"
    exit 1
fi
. "$(dirname "$(readlink -f "$0")")/lib.sh"
for name in mesos-master mesos-agent; do
    if ! program $name >/dev/null; then
        echo "no Mesos: $name is not in $MESOS_HOME/bin or $MESOS_HOME/sbin -> correct MESOS_HOME"
        exit 1
    fi
done
launcher >/dev/null || { echo "no Mesos: mesos-executor is not in $MESOS_HOME/libexec/mesos or $MESOS_HOME/bin"; exit 1; }
