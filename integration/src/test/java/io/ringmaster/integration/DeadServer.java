package io.ringmaster.integration;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A server that was ended with SIGKILL, and with it its ZooKeeper; its executors and daemons go on. */
final class DeadServer {
    private final List<String> command;
    private final Path log;

    private DeadServer(List<String> command, Path log) {
        this.command = command;
        this.log = log;
    }

    static DeadServer of(Playground playground, String datacenter) {
        ProcessHandle server = playground.server(datacenter);
        List<String> command = new ArrayList<>();
        if (!network("self").equals(network(Long.toString(server.pid())))) {
            long neighbour = playground.executor(datacenter, 0).pid();
            command.addAll(List.of("nsenter", "--net=/proc/" + neighbour + "/ns/net"));
        }
        command.addAll(Processes.commandLine(server.pid()));
        Processes.kill9(server);
        return new DeadServer(command, Playground.HOME.resolve("playground/" + datacenter + "/again.log"));
    }

    private static Path network(String process) {
        try {
            return Files.readSymbolicLink(Path.of("/proc", process, "ns/net"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void comesBack() {
        Processes.detached(command, log);
    }
}
