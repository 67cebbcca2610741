#!/usr/bin/env bash
# up.sh STATE [WHAT...]: a Mesos master on 127.77.0.1 and three agents on 127.77.0.11 to 127.77.0.13, with all their
# state in the folder STATE. WHAT is master, agent1, agent2 or agent3; without it all of them. What runs is left alone.
#
# MESOS_HOME is the folder of an installed Mesos, with mesos-master and mesos-agent in its bin or sbin.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
state=$(mkdir -p "$1" && cd "$1" && pwd -P)
shift
lacks=$("$here/needs.sh") || { echo "$lacks"; exit 1; }
. "$here/lib.sh"
[ $# -gt 0 ] || set -- master agent1 agent2 agent3
for what; do
    ! runs "$what" || continue
    case $what in
    master)
        start master "$(program mesos-master)" --ip=127.77.0.1 --port=5050 --hostname=127.77.0.1 \
            --work_dir="$state/master" --registry=replicated_log --quorum=1 --log_auto_initialize=true \
            --agent_ping_timeout=1secs --max_agent_ping_timeouts=5 --agent_reregister_timeout=10mins \
            --allocation_interval=500ms
        ;;
    agent[1-3])
        i=${what#agent}
        mkdir -p "$state/$what" "$state/run$i"
        start "$what" "$(program mesos-agent)" --master=127.77.0.1:5050 --ip=127.77.0.1$i --port=5051 \
            --hostname=127.77.0.1$i --work_dir="$state/$what" --runtime_dir="$state/run$i" \
            --launcher_dir="$(launcher)" --containerizers=mesos --no-systemd_enable_support --no-switch_user \
            $(isolation "$i") --attributes="rack:rack$i" \
            --resources="cpus:4;mem:6144;disk:20000;ports:[7000-9999]" \
            --recover=reconnect --strict --registration_backoff_factor=100ms \
            --executor_reregistration_timeout=2secs --http_command_executor
        ;;
    *) echo "$what is not master, agent1, agent2 or agent3" && exit 2 ;;
    esac
done
