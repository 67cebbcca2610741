package io.ringmaster.server.page;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.ringmaster.json.Json;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.server.TestDatacenter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Two datacenters of real servers and ZooKeepers with fake machines and nodes, which a browser test steers by lines on
 * standard input. The first line of output has the servers and their token; each later one answers one line of input.
 *
 * <pre>
 * pace 400ms          each mode of a node's start lasts as long: STARTING, JOINING
 * fail dc1/node-1     the daemons of these nodes exit, and their executors say why
 * recover dc1/node-1  they start again
 * lose dc1/machine-1  the pool loses contact with the machine, and what runs there ends
 * stop dc2            stops the first server of the datacenter
 * start dc2           starts it again, and returns when it leads
 * standby dc1         starts another server of the datacenter
 * quit                ends, as the end of the input does
 * </pre>
 */
public final class PageServers implements AutoCloseable {
    private final Map<String, TestDatacenter> datacenters = new LinkedHashMap<>();

    PageServers(Path directory) throws IOException {
        TestDatacenter.two(directory).forEach(d -> datacenters.put(d.name().value(), d));
    }

    public static void main(String[] args) throws IOException {
        PrintStream out = System.out;
        System.setOut(System.err); // a log line must not look like an answer
        Path directory = Files.createTempDirectory("page-servers");
        try (var servers = new PageServers(directory);
                var in = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
            out.println(Json.text(servers.description()));
            String line = in.readLine();
            while (line != null && !line.strip().equals("quit")) {
                out.println(Json.text(servers.obey(line.strip())));
                line = in.readLine();
            }
        } finally {
            delete(directory);
        }
        System.exit(0); // whatever thread a test's client may have left
    }

    Map<String, Object> description() {
        var urls = new LinkedHashMap<String, String>();
        datacenters.forEach(
                (name, datacenter) -> urls.put(name, datacenter.url().toString()));
        return Map.of("servers", urls, "token", TestDatacenter.TOKEN);
    }

    /** Carries out one line. */
    Map<String, Object> obey(String line) {
        try {
            String[] words = line.split(" +", 2);
            return carryOut(words[0], words.length == 2 ? words[1] : "");
        } catch (IllegalArgumentException | IOException e) {
            return Map.of("ok", false, "error", String.valueOf(e.getMessage()));
        }
    }

    private Map<String, Object> carryOut(String verb, String object) throws IOException {
        return switch (verb) {
            case "pace" -> {
                datacenters.values().forEach(d -> d.pool().pace(milliseconds(object)));
                yield Map.of("ok", true);
            }
            case "fail" -> {
                var why = Problem.of(ErrorCode.DAEMON_FAILED, "Cassandra exited: its commit log is corrupt");
                yield nodes(of(object).pool().fail(index(object), why));
            }
            case "recover" -> nodes(of(object).pool().recover(index(object)));
            case "lose" -> Map.of("ok", of(object).pool().lose(new MachineName(part(object))));
            case "stop" -> {
                of(object).stopServer();
                yield Map.of("ok", true);
            }
            case "start" -> {
                of(object).startServer();
                of(object).awaitLeader();
                yield Map.of("ok", true);
            }
            case "standby" ->
                Map.of("ok", true, "url", of(object).startAnotherServer().toString());
            default -> throw new IllegalArgumentException("unknown line '" + verb + "'");
        };
    }

    private static Map<String, Object> nodes(List<?> names) {
        return Map.of(
                "ok",
                !names.isEmpty(),
                "nodes",
                names.stream().map(Object::toString).toList());
    }

    private TestDatacenter of(String object) {
        String name = object.replaceFirst("/.*", "");
        TestDatacenter datacenter = datacenters.get(name);
        if (datacenter == null) {
            throw new IllegalArgumentException("there is no datacenter '" + name + "'");
        }
        return datacenter;
    }

    private static String part(String object) {
        return object.substring(object.indexOf('/') + 1);
    }

    private static int index(String object) {
        return Integer.parseInt(part(object).replaceFirst("node-", ""));
    }

    private static Duration milliseconds(String text) {
        return Duration.ofMillis(Long.parseLong(text.replaceFirst("ms$", "")));
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    @Override
    public void close() {
        datacenters.values().forEach(TestDatacenter::close);
    }
}
