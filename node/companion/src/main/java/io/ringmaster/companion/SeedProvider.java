package io.ringmaster.companion;

import java.io.IOException;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks Ringmaster's servers who the seeds are, and says who asks: a seed never bootstraps, so a node that has to must not be told
 * that it is one. A node that has joined before may start while no server answers, by the last answer, which it keeps on disk;
 * one that never joined waits for a server, since an old answer could make it skip its bootstrap.
 *
 * <p>Parameters in cassandra.yaml: {@code node} (rides/dc1/node-0), {@code endpoint} (its own address:storage_port),
 * {@code servers_file} (one base URL a line, read at each question), {@code cache_file}, {@code joined} (true or false),
 * {@code wait_seconds} (how long to wait for a first answer, 60 unless told).
 */
public final class SeedProvider implements org.apache.cassandra.locator.SeedProvider {
    private static final Logger LOG = LoggerFactory.getLogger(SeedProvider.class);
    private static final Duration REMEMBERED = Duration.ofSeconds(5);
    private static final Duration RETRY_PAUSE = Duration.ofMillis(250);

    private final String node;
    private final String endpoint;
    private final Path serversFile;
    private final SeedCache cache;
    private final boolean joined;
    private final Duration wait;

    private @Nullable List<InetAddressAndPort> remembered;
    private long rememberedAtNanos;

    public SeedProvider(Map<String, String> parameters) {
        node = required(parameters, "node");
        endpoint = required(parameters, "endpoint");
        serversFile = Path.of(required(parameters, "servers_file"));
        cache = new SeedCache(Path.of(required(parameters, "cache_file")));
        joined = Boolean.parseBoolean(parameters.get("joined"));
        wait = Duration.ofSeconds(Long.parseLong(parameters.getOrDefault("wait_seconds", "60")));
    }

    /** @throws ConfigurationException naming every server that was asked and what it said, when there is no answer to go by */
    @Override
    public synchronized List<InetAddressAndPort> getSeeds() {
        List<InetAddressAndPort> recent = remembered;
        if (recent != null && System.nanoTime() - rememberedAtNanos < REMEMBERED.toNanos()) {
            return recent;
        }
        List<InetAddressAndPort> seeds = parse(find());
        remembered = seeds;
        rememberedAtNanos = System.nanoTime();
        return seeds;
    }

    private SeedAnswer find() {
        long deadline = System.nanoTime() + wait.toNanos();
        boolean told = false;
        while (true) {
            List<String> failures = new ArrayList<>();
            Optional<SeedAnswer> answer = ask(failures);
            if (answer.isPresent()) {
                return answer.get();
            }
            if (joined) {
                Optional<SeedAnswer> cached = cache.read();
                if (cached.isPresent()) {
                    LOG.warn(
                            "No server answered ({}); going by the answer kept in {}: {}",
                            failures,
                            cache,
                            cached.get());
                    return cached.get();
                }
            }
            if (System.nanoTime() > deadline) {
                throw new ConfigurationException(
                        "no server told " + node + " its seeds within " + wait.toSeconds() + " s: " + failures
                                + "; check that the servers in " + serversFile + " run",
                        false);
            }
            if (!told) {
                LOG.info("Waiting for a server to tell the seeds: {}", failures);
                told = true;
            }
            pause();
        }
    }

    private Optional<SeedAnswer> ask(List<String> failures) {
        for (String server : servers(failures)) {
            try {
                SeedAnswer answer = SeedQuestion.ask(server, node);
                if (answer.isUsable()) {
                    LOG.info("{} says: {}", server, answer);
                    cache.write(answer);
                    return Optional.of(answer);
                }
                failures.add(server + ": no seeds yet");
            } catch (IOException | IllegalArgumentException e) {
                failures.add(server + ": " + e);
            }
        }
        return Optional.empty();
    }

    private List<String> servers(List<String> failures) {
        try {
            return Files.readAllLines(serversFile).stream()
                    .map(String::trim)
                    .filter(line -> !line.isEmpty())
                    .toList();
        } catch (IOException e) {
            failures.add("cannot read " + serversFile + ": " + e);
            return List.of();
        }
    }

    private List<InetAddressAndPort> parse(SeedAnswer answer) {
        Set<String> endpoints = new LinkedHashSet<>(answer.seeds());
        endpoints.remove(endpoint);
        if (answer.isSeed()) {
            endpoints.add(endpoint);
        }
        List<InetAddressAndPort> seeds = new ArrayList<>();
        for (String seed : endpoints) {
            try {
                seeds.add(InetAddressAndPort.getByName(seed));
            } catch (UnknownHostException e) {
                LOG.warn("Leaving out seed {}: its name cannot be resolved", seed);
            }
        }
        return List.copyOf(seeds);
    }

    private static void pause() {
        try {
            Thread.sleep(RETRY_PAUSE.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ConfigurationException("interrupted while waiting for seeds", false);
        }
    }

    private static String required(Map<String, String> parameters, String name) {
        String value = parameters.get(name);
        if (value == null || value.isBlank()) {
            throw new ConfigurationException(
                    "seed_provider: parameter '" + name + "' is missing in cassandra.yaml", false);
        }
        return value;
    }
}
