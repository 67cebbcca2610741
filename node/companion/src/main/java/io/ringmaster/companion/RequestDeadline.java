package io.ringmaster.companion;

import io.ringmaster.companion.ManagementServer.Refusal;
import io.ringmaster.companion.cassandra.CompanionThreads;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads requests, and closes each connection whose request has not arrived in time: it would hold a thread for as long
 * as its caller says nothing. A unix socket has no timeout of its own, so another thread closes it.
 */
final class RequestDeadline {
    private static final Logger LOG = LoggerFactory.getLogger(RequestDeadline.class);

    private final Duration deadline;
    private final ScheduledThreadPoolExecutor closer =
            new ScheduledThreadPoolExecutor(1, work -> CompanionThreads.of("ringmaster-deadlines", work));

    /** @param deadline from the start of the reading to the last byte of the request */
    RequestDeadline(Duration deadline) {
        this.deadline = deadline;
        closer.setRemoveOnCancelPolicy(true);
        closer.prestartAllCoreThreads(); // later, the system may give no more threads
    }

    /** @throws IOException the request did not arrive in time, or the caller closed the connection */
    SocketRequest read(SocketChannel connection) throws IOException, Refusal {
        Future<?> end = closer.schedule(() -> close(connection), deadline.toNanos(), TimeUnit.NANOSECONDS);
        try {
            return SocketRequest.read(new BufferedInputStream(Channels.newInputStream(connection)));
        } finally {
            end.cancel(false);
        }
    }

    private static void close(SocketChannel connection) {
        try {
            connection.close();
        } catch (IOException e) {
            LOG.debug("Cannot close a connection whose request did not arrive in time", e);
        }
    }

    /** No request is read any more; connections that are open keep their deadline. */
    void shutdown() {
        closer.shutdown();
    }
}
