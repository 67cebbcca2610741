package io.ringmaster.lab.ring;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A Java virtual machine for nodes.
 *
 * @param home folder that holds {@code bin/java}
 * @param feature first number of its version, such as 17
 * @param options further options, behind those of the collector
 */
public record Jvm(Path home, int feature, JvmCollector collector, List<String> options) {
    /** @throws IllegalArgumentException this JDK has no such collector */
    public Jvm {
        options = List.copyOf(options);
        if (!collector.isIn(feature)) {
            throw new IllegalArgumentException("JDK " + feature + " has no " + collector.text());
        }
    }

    /** The JDK of this process with G1 and Cassandra's options for it. */
    public static Jvm ofThisProcess() {
        Path home = Path.of(System.getProperty("java.home"));
        return new Jvm(home, Runtime.version().feature(), JvmCollector.G1, List.of());
    }

    /** Name for people: {@code G1 on 17}. */
    public String text() {
        return collector.text() + " on " + feature;
    }

    /** The start of a node's command: the program and all options of the JVM. */
    List<String> command(int heapMiB) {
        List<String> command = new ArrayList<>(List.of(home.resolve("bin/java").toString()));
        command.addAll(StockOptions.of(feature));
        command.addAll(collector.options(heapMiB, Runtime.getRuntime().availableProcessors()));
        command.addAll(List.of("-Xms" + heapMiB + "m", "-Xmx" + heapMiB + "m"));
        command.addAll(options);
        return command;
    }
}
