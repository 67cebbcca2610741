package io.ringmaster.companion.task;

import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import javax.management.MBeanServer;
import javax.management.Notification;
import javax.management.NotificationListener;
import javax.management.ObjectName;
import org.apache.cassandra.concurrent.Stage;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.repair.messages.RepairOption;
import org.apache.cassandra.service.ActiveRepairService;
import org.apache.cassandra.service.StorageService;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs one full repair of token ranges with the same replicas in Cassandra and follows it to its end. */
final class CassandraRepair {
    private static final Logger LOG = LoggerFactory.getLogger(CassandraRepair.class);
    private static final String STORAGE_SERVICE = "org.apache.cassandra.db:type=StorageService";
    private static final long POLL_MS = 1000;
    /**
     * A repair starts in a thread of the REQUEST_RESPONSE stage and waits there for the responses to a write of its
     * history. Cassandra creates one of these threads per processor. With a single one, all requests that this node
     * coordinates stall until that write times out.
     */
    private static final int RESPONSE_THREADS = 4;

    /** Ordinals of {@code org.apache.cassandra.utils.progress.ProgressEventType}; COMPLETE always comes last. */
    private static final int ERROR = 2;

    private static final int ABORT = 3;
    private static final int COMPLETE = 5;

    /** No command has this number. */
    private static final int NONE = 0;

    private final IntPredicate hasSessions;
    private final Runnable terminate;
    private volatile int running = NONE;
    private volatile int terminated = NONE;

    /** The repair failed; the message is Cassandra's. */
    static final class FailedException extends Exception {
        private static final long serialVersionUID = 1L;

        FailedException(String message) {
            super(message);
        }
    }

    CassandraRepair() {
        this(CassandraRepair::hasSessions, () -> StorageService.instance.forceTerminateAllRepairSessions());
    }

    /**
     * @param hasSessions whether the command with this number has sessions that can be ended
     * @param terminate ends all sessions
     */
    CassandraRepair(IntPredicate hasSessions, Runnable terminate) {
        this.hasSessions = hasSessions;
        this.terminate = terminate;
    }

    /** @param tables {@code keyspace.table} of each table, all in this keyspace */
    void run(String keyspace, Collection<String> tables, List<TokenRange> ranges, Map<String, String> args)
            throws Exception {
        provideResponseThreads();
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ObjectName service = new ObjectName(STORAGE_SERVICE);
        BlockingQueue<Notification> notifications = new LinkedBlockingQueue<>();
        NotificationListener listener = (notification, handback) -> notifications.add(notification);
        server.addNotificationListener(service, listener, null, null);
        try {
            int command = StorageService.instance.repairAsync(keyspace, options(keyspace, tables, ranges, args));
            if (command != NONE) { // else there is nothing to repair
                started(command);
                follow(command, notifications);
            }
        } finally {
            running = NONE;
            server.removeNotificationListener(service, listener);
        }
    }

    private static void provideResponseThreads() {
        if (Stage.REQUEST_RESPONSE.getMaximumPoolSize() >= RESPONSE_THREADS) {
            return;
        }
        try {
            Stage.REQUEST_RESPONSE.setMaximumPoolSize(RESPONSE_THREADS);
        } catch (NullPointerException e) {
            // after it changed the size, Cassandra 5.0 notifies a listener, which this stage does not have
            LOG.debug("{} has {} threads", Stage.REQUEST_RESPONSE, Stage.REQUEST_RESPONSE.getMaximumPoolSize(), e);
        }
    }

    void started(int command) {
        running = command;
    }

    /**
     * Ends the command that runs, as soon as it has sessions; may be called often. Validations of its range run to
     * their end, here as at the other replicas.
     *
     * <p>Cassandra 5.0 can only end all sessions of a node at once, and then forgets also the repairs of other nodes
     * that this one takes part in: those fail once. So it is asked once for each command.
     */
    void stop() {
        int command = running;
        if (command != NONE && command != terminated && hasSessions.test(command)) {
            terminated = command;
            terminate.run();
        }
    }

    private static boolean hasSessions(int command) {
        return ActiveRepairService.instance().coordinators().stream()
                .anyMatch(c -> c.cmd == command && !c.getSessionIds().isEmpty());
    }

    private static Map<String, String> options(
            String keyspace, Collection<String> tables, List<TokenRange> ranges, Map<String, String> args) {
        Map<String, String> options = new TreeMap<>();
        options.put(RepairOption.INCREMENTAL_KEY, "false");
        options.put(RepairOption.PRIMARY_RANGE_KEY, "false");
        options.put(RepairOption.IGNORE_UNREPLICATED_KS, "true");
        options.put(RepairOption.PARALLELISM_KEY, args.getOrDefault("parallelism", "dc_parallel"));
        options.put(
                RepairOption.RANGES_KEY, ranges.stream().map(TokenRange::option).collect(Collectors.joining(",")));
        options.put(
                RepairOption.COLUMNFAMILIES_KEY,
                tables.stream().map(t -> t.substring(keyspace.length() + 1)).collect(Collectors.joining(",")));
        if (Boolean.parseBoolean(args.get("within_dc"))) {
            options.put(RepairOption.DATACENTERS_KEY, DatabaseDescriptor.getLocalDataCenter());
        }
        return options;
    }

    static String text(int command, @Nullable String message) {
        return message == null || message.isBlank()
                ? "repair command " + command + " failed, and Cassandra does not say why: see its log"
                : message;
    }

    /** Returns once the command is over, and throws what it reported as an error before. */
    static void follow(int command, BlockingQueue<Notification> notifications)
            throws InterruptedException, FailedException {
        @Nullable String error = null;
        while (true) {
            Notification next = notifications.poll(POLL_MS, TimeUnit.MILLISECONDS);
            if (next == null
                    || !String.valueOf(next.getSource()).endsWith(":" + command)
                    || !(next.getUserData() instanceof Map<?, ?> data)
                    || !(data.get("type") instanceof Integer type)) {
                continue;
            }
            if (type == ERROR || type == ABORT) {
                error = error == null ? text(command, next.getMessage()) : error;
            } else if (type == COMPLETE) {
                if (error != null) {
                    throw new FailedException(error);
                }
                return;
            }
        }
    }
}
