package io.ringmaster.playground.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.host.ProcessIdentity;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessesTest {
    private final List<Process> started = new ArrayList<>();

    @TempDir
    private Path directory;

    @AfterEach
    void end_what_was_started() {
        started.forEach(Process::destroyForcibly);
    }

    private Process start(String... command) throws IOException {
        Process process = new ProcessBuilder(command).start();
        started.add(process);
        return process;
    }

    /**
     * A real process with the command line of a Ringmaster program. It reads what nobody writes: a loop over `sleep`
     * would show a second process with its command line between each fork and its exec.
     */
    private Process ringmasterProcess(String main, String argument) throws IOException {
        return start("sh", "-c", "read forever", main, argument);
    }

    private List<Long> found() {
        return Processes.below(directory).stream().map(p -> p.mark().pid()).toList();
    }

    @Test
    void finds_processes_by_main_class_and_folder() throws Exception {
        Process server = ringmasterProcess("io.ringmaster.server.ServerMain", directory + "/dc1/server.yaml");
        Process daemon = ringmasterProcess(
                "io.ringmaster.companion.Launch", "-Dringmaster.socket=" + directory + "/a/mgmt.sock");
        ringmasterProcess("io.ringmaster.server.ServerMain", directory + "-other/dc1/server.yaml");
        ringmasterProcess("org.apache.cassandra.tools.StandaloneSSTableUtil", directory + "/dc1/data");
        assertThat(found()).containsExactlyInAnyOrder(server.pid(), daemon.pid());
        assertThat(Processes.below(directory)).extracting(Processes.Own::part).contains("server", "companion");
    }

    @Test
    void finds_processes_with_the_mark_of_an_allocation() throws Exception {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", "read forever", "io.ringmaster.companion.Launch");
        builder.environment().put("RINGMASTER_ALLOCATION", directory + "/dc1/allocations/rides-dc1-node-0");
        Process marked = builder.start();
        started.add(marked);
        assertThat(found()).containsExactly(marked.pid());
    }

    @Test
    void a_mark_distinguishes_processes_with_the_same_id() throws Exception {
        Process process = ringmasterProcess("io.ringmaster.server.ServerMain", directory + "/x");
        ProcessIdentity mark = ProcessIdentity.of(process.pid()).orElseThrow();
        assertThat(mark.isAlive()).isTrue();
        assertThat(new ProcessIdentity(mark.pid(), mark.startTicks() - 1, mark.boot()).isAlive())
                .isFalse();
        process.destroyForcibly().waitFor();
        assertThat(mark.isAlive()).isFalse();
        assertThat(ProcessIdentity.of(mark.pid())).isEmpty();
    }

    @Test
    void a_process_that_ignores_sigterm_is_killed() throws Exception {
        Process deaf = start("sh", "-c", "trap '' TERM; read forever");
        ProcessIdentity mark = ProcessIdentity.of(deaf.pid()).orElseThrow();
        Processes.end(List.of(mark), Duration.ofMillis(300));
        assertThat(mark.isAlive()).isFalse();
    }

    @Test
    void a_mark_of_an_ended_process_kills_no_other_process() throws Exception {
        Process bystander = ringmasterProcess("io.ringmaster.server.ServerMain", directory + "/x");
        long pid = bystander.pid();
        Processes.kill(List.of(new ProcessIdentity(pid, 1, null)));
        assertThat(bystander.isAlive()).isTrue();
    }
}
