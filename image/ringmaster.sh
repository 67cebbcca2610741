#!/bin/sh
# The command line in the image of a server, for `kubectl exec`.
terminal=false person=false columns=0
[ ! -t 0 ] || person=true
if [ -t 1 ]; then
    terminal=true
    columns=$(stty size 2>/dev/null </dev/tty | cut -d' ' -f2)
fi
exec java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData -Xlog:disable -Xlog:all=error:stderr \
    -Xms16m -Xmx256m \
    -Dringmaster.person=$person -Dringmaster.terminal=$terminal -Dringmaster.columns="${columns:-0}" \
    -cp '/opt/ringmaster/cli/*' io.ringmaster.launcher.Main "$@"
