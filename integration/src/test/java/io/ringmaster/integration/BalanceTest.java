package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.host.FreePorts;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Three nodes become six, and each has half of the rows, as Cassandra's own {@code nodetool status} sees it. */
@RealNodes
@Tag("cassandra")
@Tag("long")
@Timeout(1200)
class BalanceTest {
    /** Of a line such as {@code UN  127.1.1.4  123.4 KiB  1  50.0%  2f1c...  r1}. */
    private static final Pattern OWNS = Pattern.compile("(?m)^UN +\\S+ .*? ([0-9.]+)% ");

    private static final Playground playground = Playground.attached();

    @RegisterExtension
    static final ServingDatacenter rides = new ServingDatacenter("--spare-machines", "3");

    @Test
    void six_nodes_in_place_of_three_own_the_same_each() throws Exception {
        playground.run("cluster", "scale", "rides", "--dc", "dc1", "--nodes", "6", "--yes", "--wait");
        playground.whole(6, ServingDatacenter.SOON);
        rides.assertNothingLost();
        String status = nodetool(playground.daemon("dc1", 5), "status", "trips");
        assertThat(OWNS.matcher(status).results().map(BalanceTest::share))
                .as(status)
                .hasSize(6)
                .allSatisfy(share -> assertThat(share).isBetween(47.5, 52.5));
    }

    private static double share(MatchResult line) {
        return Double.parseDouble(line.group(1));
    }

    /** Ringmaster's nodes have no JMX port; the JVM opens one on loopback when it is asked. */
    private static String nodetool(ProcessHandle daemon, String... command) throws Exception {
        String port = Integer.toString(FreePorts.next());
        String pid = Long.toString(daemon.pid());
        List<String> line = Processes.commandLine(daemon.pid());
        run(List.of(
                "jcmd",
                pid,
                "ManagementAgent.start",
                "jmxremote.host=127.0.0.1",
                "jmxremote.port=" + port,
                "jmxremote.rmi.port=" + port,
                "jmxremote.authenticate=false",
                "jmxremote.ssl=false"));
        var nodetool = new ArrayList<>(List.of(line.get(0), "-Xmx64m"));
        line.stream().filter(option -> option.startsWith("--add-")).forEach(nodetool::add);
        nodetool.addAll(List.of(
                "-cp",
                line.get(line.indexOf("-cp") + 1),
                "org.apache.cassandra.tools.NodeTool",
                "-h",
                "127.0.0.1",
                "-p",
                port));
        nodetool.addAll(List.of(command));
        String answer = run(nodetool);
        run(List.of("jcmd", pid, "ManagementAgent.stop"));
        return answer;
    }

    private static String run(List<String> command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(output).isTrue();
        assertThat(process.exitValue()).as(output).isZero();
        return output;
    }
}
