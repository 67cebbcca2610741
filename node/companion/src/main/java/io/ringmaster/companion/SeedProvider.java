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
 * Gets the seeds from Ringmaster's servers. The request names the asking node, because the answer depends on it: a seed
 * never bootstraps, so a node that must bootstrap must not be a seed. While no server answers, a node that joined
 * before starts with the last answer, cached on disk. Where it has another address, it waits first, as the others may
 * have moved too, and that answer does not make it a seed. A node that never joined waits for a server, since an old
 * answer could make it skip its bootstrap.
 *
 * <p>Parameters in cassandra.yaml: {@code node} (rides/dc1/node-0), {@code endpoint} (its own address:storage_port),
 * {@code servers_file} (one base URL per line and, after {@code trust}, the file of the authorities for https; read at
 * each request), {@code cache_file}, {@code joined} (true or
 * false), {@code wait_seconds} (the longest wait for an answer, 60 by default).
 */
public final class SeedProvider implements org.apache.cassandra.locator.SeedProvider {
    private static final Logger LOG = LoggerFactory.getLogger(SeedProvider.class);
    private static final Duration MEMORY_TTL = Duration.ofSeconds(5);
    private static final Duration RETRY_PAUSE = Duration.ofMillis(250);
    private static final String TRUST = "trust ";

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
        cache = new SeedCache(Path.of(required(parameters, "cache_file")), endpoint);
        joined = Boolean.parseBoolean(parameters.get("joined"));
        wait = Duration.ofSeconds(Long.parseLong(parameters.getOrDefault("wait_seconds", "60")));
    }

    /**
     * @throws ConfigurationException no server gave an answer and none is cached; the message lists each server's error
     */
    @Override
    public synchronized List<InetAddressAndPort> getSeeds() {
        List<InetAddressAndPort> recent = remembered;
        if (recent != null && System.nanoTime() - rememberedAtNanos < MEMORY_TTL.toNanos()) {
            return recent;
        }
        List<InetAddressAndPort> seeds = parse(find());
        remembered = seeds;
        rememberedAtNanos = System.nanoTime();
        return seeds;
    }

    private SeedAnswer find() {
        long deadline = System.nanoTime() + wait.toNanos();
        boolean logged = false;
        while (true) {
            List<String> failures = new ArrayList<>();
            Optional<SeedAnswer> answer = ask(failures);
            if (answer.isPresent()) {
                return answer.get();
            }
            boolean late = System.nanoTime() > deadline;
            if (joined) {
                Optional<SeedAnswer> cached = cache.read(late);
                if (cached.isPresent()) {
                    LOG.warn(
                            "No server answered ({}); using the cached answer in {}: {}",
                            failures,
                            cache,
                            cached.get());
                    return cached.get();
                }
            }
            if (late) {
                throw new ConfigurationException(
                        "no server gave " + node + " its seeds within " + wait.toSeconds() + " s: " + failures
                                + "; check that the servers in " + serversFile + " run",
                        false);
            }
            if (!logged) {
                LOG.info("Waiting for a server to name the seeds: {}", failures);
                logged = true;
            }
            pause();
        }
    }

    private Optional<SeedAnswer> ask(List<String> failures) {
        List<String> lines = lines(failures);
        Path trust = lines.stream()
                .filter(line -> line.startsWith(TRUST))
                .map(line -> Path.of(line.substring(TRUST.length())))
                .findFirst()
                .orElse(null);
        for (String server :
                lines.stream().filter(line -> !line.startsWith(TRUST)).toList()) {
            try {
                SeedAnswer answer = SeedRequest.ask(server, node, trust);
                if (answer.isUsable()) {
                    LOG.info("{} answered: {}", server, answer);
                    cache.write(answer);
                    return Optional.of(answer);
                }
                failures.add(server + ": " + (answer.reason().isEmpty() ? "no seeds yet" : answer.reason()));
            } catch (IOException | IllegalArgumentException e) {
                failures.add(server + ": " + e);
            }
        }
        return Optional.empty();
    }

    private List<String> lines(List<String> failures) {
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
