package io.ringmaster.lab.load;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * Writes a key in one datacenter and reads it in the other, again and again, until the row is there. One process and
 * one monotonic clock, so that no difference of clocks is part of the result.
 */
public final class ReplicationProbe implements AutoCloseable {
    private static final String KEYSPACE = "lab_replication";
    private static final int CQL_PORT = 9042;
    private static final int DIGITS = 3;
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final CqlSession near;
    private final CqlSession far;
    private final PreparedStatement write;
    private final PreparedStatement read;

    /**
     * What the probe measured.
     *
     * @param fromAcknowledgement from the acknowledgement of the write to the read that finds it
     * @param fromStart from the start of the write to the read that finds it
     * @param write the write itself
     * @param spin time of a read, which is how exactly the end is known
     * @param lost keys that no read found in time
     */
    public record Result(
            Latencies fromAcknowledgement, Latencies fromStart, Latencies write, Latencies spin, int lost) {}

    private ReplicationProbe(CqlSession near, CqlSession far, PreparedStatement write, PreparedStatement read) {
        this.near = near;
        this.far = far;
        this.write = write;
        this.read = read;
    }

    /**
     * Connects to one node of each datacenter and creates a keyspace with a replica in each.
     *
     * @param nearHost a node of dc1, where writes go
     * @param farHost a node of dc2, where reads go
     * @throws IOException a node refused; the message is the driver's
     */
    public static ReplicationProbe open(String nearHost, String farHost) throws IOException, InterruptedException {
        List<CqlSession> open = new ArrayList<>();
        try {
            CqlSession near = session(nearHost, "dc1");
            open.add(near);
            CqlSession far = session(farHost, "dc2");
            open.add(far);
            near.execute("CREATE KEYSPACE IF NOT EXISTS " + KEYSPACE
                    + " WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 1, 'dc2': 1}");
            near.execute("CREATE TABLE IF NOT EXISTS " + KEYSPACE + ".keys (key uuid PRIMARY KEY, value int)");
            ReplicationProbe probe = new ReplicationProbe(
                    near,
                    far,
                    near.prepare("INSERT INTO " + KEYSPACE + ".keys (key, value) VALUES (?, ?)"),
                    prepare(far, "SELECT value FROM " + KEYSPACE + ".keys WHERE key = ?"));
            open.clear();
            return probe;
        } catch (DriverException e) {
            throw new IOException("cannot prepare the probe: " + e.getMessage(), e);
        } finally {
            open.forEach(CqlSession::close);
        }
    }

    /** Prepares it as soon as the datacenter has the table: the session that created it asks only its own. */
    private static PreparedStatement prepare(CqlSession far, String query) throws InterruptedException {
        for (long end = System.nanoTime() + LIMIT.toNanos(); ; Thread.sleep(100)) {
            try {
                return far.prepare(query);
            } catch (DriverException e) {
                if (System.nanoTime() > end) {
                    throw e;
                }
            }
        }
    }

    private static CqlSession session(String host, String datacenter) {
        var config = DriverConfigLoader.programmaticBuilder()
                .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, LIMIT)
                .withString(DefaultDriverOption.REQUEST_CONSISTENCY, DefaultConsistencyLevel.LOCAL_ONE.name())
                .withInt(DefaultDriverOption.NETTY_IO_SIZE, 1)
                .withBoolean(DefaultDriverOption.NETTY_DAEMON, true)
                .withBoolean(DefaultDriverOption.METADATA_SCHEMA_ENABLED, false)
                .build();
        return CqlSession.builder()
                .addContactPoint(new InetSocketAddress(host, CQL_PORT))
                .withLocalDatacenter(datacenter)
                .withConfigLoader(config)
                .build();
    }

    /**
     * @param keys number of writes
     * @param pause from the start of one write to the start of the next, longer than a read takes to find one
     * @throws IOException a request failed; the message is the driver's
     */
    public Result measure(int keys, Duration pause) throws IOException, InterruptedException {
        Histogram fromAcknowledgement = new Histogram(DIGITS);
        Histogram fromStart = new Histogram(DIGITS);
        Histogram written = new Histogram(DIGITS);
        Histogram spin = new Histogram(DIGITS);
        int lost = 0;
        long next = System.nanoTime();
        for (int i = 0; i < keys; i++) {
            next += pause.toNanos();
            sleepUntil(next);
            UUID k = UUID.randomUUID(); // no row of a former run has it
            long start = System.nanoTime();
            CompletableFuture<Long> acknowledged = near.executeAsync(write.bind(k, i))
                    .thenApply(done -> System.nanoTime())
                    .toCompletableFuture();
            long found;
            long at;
            try {
                found = spin(k, start, spin);
                at = acknowledged.join();
            } catch (CompletionException e) {
                throw new IOException("request " + i + " of " + keys + " failed: " + e.getCause(), e);
            }
            if (found == 0) {
                lost++;
                continue;
            }
            written.recordValue(at - start);
            fromStart.recordValue(found - start);
            fromAcknowledgement.recordValue(Math.max(0, found - at));
        }
        return new Result(
                new Latencies(fromAcknowledgement),
                new Latencies(fromStart),
                new Latencies(written),
                new Latencies(spin),
                lost);
    }

    /** @return when the read ended that found the key; 0 when none did in time */
    private long spin(UUID k, long start, Histogram times) {
        long before = start;
        while (before - start < LIMIT.toNanos()) {
            AsyncResultSet rows =
                    far.executeAsync(read.bind(k)).toCompletableFuture().join();
            long now = System.nanoTime();
            times.recordValue(now - before);
            if (rows.one() != null) {
                return now;
            }
            before = now;
        }
        return 0;
    }

    private static void sleepUntil(long time) throws InterruptedException {
        long left;
        while ((left = time - System.nanoTime()) > 0) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            LockSupport.parkNanos(Math.min(left, TimeUnit.MILLISECONDS.toNanos(100)));
        }
    }

    @Override
    public void close() {
        near.close();
        far.close();
    }
}
