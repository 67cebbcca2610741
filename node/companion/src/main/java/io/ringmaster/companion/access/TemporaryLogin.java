package io.ringmaster.companion.access;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.marshal.BooleanType;
import org.apache.cassandra.db.marshal.UTF8Type;

/**
 * A superuser that Cassandra forgets after a time. It is written at LOCAL_QUORUM, so that it works while other
 * datacenters are away.
 */
public record TemporaryLogin(String role, String hash, long seconds) {
    private static final long MOST_SECONDS = 86_400;

    public TemporaryLogin {
        if (!role.matches("rm_[a-z0-9_]{1,45}") || hash.isEmpty() || seconds < 1 || seconds > MOST_SECONDS) {
            throw new IllegalArgumentException("a login needs a role rm_..., a hash, and 1 to " + MOST_SECONDS
                    + " seconds, not " + role + " and " + seconds);
        }
    }

    /** Without the hash, which must not reach a log. */
    @Override
    public String toString() {
        return "login " + role;
    }

    /**
     * @param login seconds until Cassandra forgets that the role can log in; 0 if it does not
     * @param superuser the same of its being a superuser
     */
    static boolean isOne(String role, int login, int superuser) {
        return role.startsWith("rm_")
                && IntStream.of(login, superuser).allMatch(seconds -> seconds > 0 && seconds <= MOST_SECONDS);
    }

    /** @throws IllegalStateException if this node lets every client in */
    public void create() throws NotReplicatedException {
        if (!DeclaredRoleManager.isInUse()) {
            throw new IllegalStateException("this Cassandra was started without roles, and needs no login");
        }
        if (!AuthReplication.knowsDatacenters()) {
            // a login on the one replica of a new cluster would be lost to the replicas that the keyspace gets next
            throw new NotReplicatedException();
        }
        List<ByteBuffer> values = List.of(
                UTF8Type.instance.decompose(role),
                BooleanType.instance.decompose(true),
                BooleanType.instance.decompose(true),
                UTF8Type.instance.decompose(hash));
        QueryProcessor.process(
                "INSERT INTO system_auth.roles (role, is_superuser, can_login, salted_hash) VALUES (?, ?, ?, ?)"
                        + " USING TTL " + seconds,
                ConsistencyLevel.LOCAL_QUORUM,
                values);
    }
}
