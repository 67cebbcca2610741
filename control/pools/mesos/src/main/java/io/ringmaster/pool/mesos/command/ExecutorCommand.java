package io.ringmaster.pool.mesos.command;

import io.ringmaster.pool.base.ExecutorJvmOptions;
import io.ringmaster.pool.mesos.config.AgentPrograms;
import io.ringmaster.pool.mesos.picture.ClaimResources;

/** The command line of Ringmaster's executor, from the programs that the operator of an agent installed. */
public final class ExecutorCommand implements NodeProgram {
    private static final String MAIN = "io.ringmaster.executor.ExecutorMain";
    /** A token that came with the task reaches the executor as a file that only its user can read. */
    private static final String TOKEN_OF_TASK =
            """
            umask 077; printf %s "$@TOKEN@" > token; unset @TOKEN@
            token=$PWD/token; umask 022
            """;

    /** The directory of the volume is the same in each run, while the sandbox around its link is another each time. */
    private static final String PREPARE =
            """
            directory=$(cd @VOLUME@ && pwd -P)
            for what in @DIST@/executor @DIST@/companion @JARS@ @JAVA@ "$token"; do
              [ -e "$what" ] || { echo "$what is not on this agent; see pool.mesos in the server's settings"; exit 1; }
            done
            ulimit -c 0; ulimit -n "$(ulimit -Hn)"
            set -- @DIST@/companion/companion*.jar; companion=$1; set --
            [ ! -d @DIST@/engine ] || set -- "$@" --engine @DIST@/engine
            [ ! -d @DIST@/transfer ] || set -- "$@" --transfer @DIST@/transfer
            """;

    private final AgentPrograms programs;

    public ExecutorCommand(AgentPrograms programs) {
        this.programs = programs;
    }

    @Override
    public String command(Start start) {
        String jars = quoted(programs.jars(start.cassandraVersion()));
        String java = quoted(programs.java());
        String dist = quoted(programs.dist());
        String tokenFile = programs.tokenFile();
        String token = tokenFile == null ? TOKEN_OF_TASK : "token=" + quoted(tokenFile) + "\n";
        String prepare = ("set -e\n" + token + PREPARE)
                .replace("@TOKEN@", NodeProgram.TOKEN)
                .replace("@VOLUME@", ClaimResources.CONTAINER_PATH)
                .replace("@DIST@", dist)
                .replace("@JARS@", jars)
                .replace("@JAVA@", java);
        return prepare + "exec " + java + " " + String.join(" ", ExecutorJvmOptions.ALL)
                + " --add-opens=java.base/java.lang=ALL-UNNAMED -cp " + dist + "/executor/'*' " + MAIN
                + " --contained yes --node " + start.allocation().node()
                + " --listen " + start.address() + " --port "
                + start.allocation().ports().executor()
                + " --generation " + start.generation()
                + " --directory \"$directory\" --token \"$token\" --jars " + jars
                + " --companion \"$companion\" --java " + java + " \"$@\"\n";
    }

    private static String quoted(String path) {
        return "'" + path.replace("'", "'\\''") + "'";
    }
}
