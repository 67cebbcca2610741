package io.ringmaster.lab.bench;

import io.ringmaster.cli.session.Environment;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** What an experiment needs beside two cores, with what to do where it is missing. */
public enum Need {
    ROOT("root", "run it as root: it makes networks, quotas or disks of its own"),
    METRONOME("metronome", "install Rust (rustup), which builds the load generator"),
    PIP("python3 with pip", "apt-get install python3-pip: it brings the other Java virtual machines"),
    MAVEN("mvn", "apt-get install maven: it brings Cassandra's jars"),
    SLOW_DISK(
            "loop devices and the blkio controller of cgroup v1",
            "run it where both are: bench/engine/with-disk makes a slow disk in memory of them");

    private static final Path THROTTLE = Path.of("/sys/fs/cgroup/blkio/blkio.throttle.read_bps_device");
    private static final Path LOOP = Path.of("/dev/loop-control");

    private final String program;
    private final String nextStep;

    Need(String program, String nextStep) {
        this.program = program;
        this.nextStep = nextStep;
    }

    /** Whether it is there: a program on the PATH, or the rights of root. */
    public boolean isMet(Environment environment) {
        return switch (this) {
            case ROOT -> "root".equals(System.getProperty("user.name"));
            case METRONOME -> environment.variables().containsKey("METRONOME") || onPath(environment, "cargo");
            case PIP -> onPath(environment, "python3");
            case MAVEN -> onPath(environment, "mvn");
            case SLOW_DISK -> Files.exists(THROTTLE) && Files.exists(LOOP);
        };
    }

    private static boolean onPath(Environment environment, String program) {
        return Arrays.stream(environment.variables().getOrDefault("PATH", "").split(File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    public String program() {
        return program;
    }

    public String nextStep() {
        return nextStep;
    }
}
