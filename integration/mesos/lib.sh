# Parts of the scripts beside it. $state is the folder of the state.

# The path of a program of Mesos.
program() {
    local folder
    for folder in bin sbin; do
        if [ -x "$MESOS_HOME/$folder/$1" ]; then
            echo "$MESOS_HOME/$folder/$1"
            return
        fi
    done
    return 1
}

# The folder of the programs that an agent starts.
launcher() {
    local folder
    for folder in libexec/mesos bin; do
        if [ -x "$MESOS_HOME/$folder/mesos-executor" ]; then
            echo "$MESOS_HOME/$folder"
            return
        fi
    done
    return 1
}

# Whether a master or an agent of this state runs.
runs() {
    [ -f "$state/$1.pid" ] && kill -0 "$(cat "$state/$1.pid")" 2>/dev/null
}

# NAME COMMAND...: in a session of its own.
start() {
    local name=$1
    shift
    export LD_LIBRARY_PATH=$MESOS_HOME/lib:$MESOS_HOME/bin${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    (cd "$state" && exec setsid "$@" >>"$state/$name.log" 2>&1 </dev/null) &
    echo $! >"$state/$name.pid"
}

# The limits of tasks are in force where this computer has the control groups that Mesos 1.11 knows.
isolation() {
    local root=/sys/fs/cgroup name
    for name in cpu cpuacct memory freezer; do
        if ! [ -d "$root/$name" ] || ! mkdir -p "$root/$name/ringmaster-mesos/agent$1" 2>/dev/null; then
            echo "--launcher=posix --isolation=posix/cpu,posix/mem"
            return
        fi
    done
    echo "--launcher=linux --isolation=cgroups/cpu,cgroups/mem" \
        "--cgroups_root=ringmaster-mesos/agent$1 --cgroups_enable_cfs"
}
