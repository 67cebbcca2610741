package io.ringmaster.companion.cassandra;

import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.cassandra.gms.FailureDetector;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.service.StorageService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which replicas the removal of a dead node waits for. Cassandra has them in one sentence alone. */
public final class RemovalStatus {
    private static final Logger LOG = LoggerFactory.getLogger(RemovalStatus.class);

    /** {@code Removing token (-42). Waiting for replication confirmation from [a/127.0.0.3:7000,/127.0.0.4:7000].} */
    private static final Pattern WAITING = Pattern.compile("confirmation from \\[([^ ]*)]\\.?$");

    private RemovalStatus() {}

    /** The replicas that have not confirmed it and are down; empty if no removal is at work, or if it just ends. */
    public static List<String> silentReplicas() {
        try {
            return silent(StorageService.instance.getRemovalStatusWithPort(), FailureDetector.instance::isAlive);
        } catch (RuntimeException | AssertionError e) { // Cassandra reads what the removal changes, without a lock
            LOG.debug("Cannot read the status of the removal", e);
            return List.of();
        }
    }

    static List<String> silent(String status, Predicate<InetAddressAndPort> isAlive) {
        Matcher waiting = WAITING.matcher(status);
        if (!waiting.find() || waiting.group(1).isEmpty()) {
            return List.of();
        }
        return Arrays.stream(waiting.group(1).split(","))
                .map(replica -> endpoint(replica.substring(replica.lastIndexOf('/') + 1)))
                .filter(isAlive.negate())
                .map(InetAddressAndPort::getHostAddressAndPort)
                .toList();
    }

    private static InetAddressAndPort endpoint(String address) {
        try {
            return InetAddressAndPort.getByName(address);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(address + " is no address", e);
        }
    }
}
