package io.ringmaster.companion.access;

import io.ringmaster.companion.cassandra.CompanionThreads;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.cassandra.auth.IResource;
import org.apache.cassandra.auth.Permission;
import org.apache.cassandra.auth.Resources;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.UntypedResultSet;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.gms.Gossiper;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.FBUtilities;
import org.apache.cassandra.utils.NoSpamLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The roles of the cluster, under the field names of {@code RoleSeen} in the model. No hash of a password is read. One
 * node of each datacenter reads them, every 30 s and in a thread of its own: an answer never waits for other nodes.
 */
public final class SeenRoles {
    private static final Logger LOG = LoggerFactory.getLogger(SeenRoles.class);
    private static final long EVERY_NANOS = 30_000_000_000L;

    /** Bound the size of the answer: nothing is reported of a cluster with more. */
    private static final int MOST_ROLES = 1000;

    private static final int MOST_GRANTS = 2000;

    /** In bytes: names can be long. */
    private static final int LARGEST = 256 * 1024;

    /** A reading that hangs must not leave an old list for the truth. */
    private static final long KEPT_NANOS = 90_000_000_000L;

    private final Supplier<Optional<List<Map<String, Object>>>> reader;
    private final Executor threads;
    private final LongSupplier nanos;

    private @Nullable List<Map<String, Object>> last;
    private boolean reading;

    /** When the last reading began; the next one is due later. */
    private long readAt;

    public SeenRoles() {
        this(SeenRoles::read, reading -> CompanionThreads.start("ringmaster-roles", reading), System::nanoTime);
    }

    SeenRoles(Supplier<Optional<List<Map<String, Object>>>> reader, Executor threads, LongSupplier nanos) {
        this.reader = reader;
        this.threads = threads;
        this.nanos = nanos;
        this.readAt = nanos.getAsLong() - EVERY_NANOS;
    }

    /** Null while they are not known, and from all nodes of the datacenter but one. CQL must be open. */
    public synchronized @Nullable List<Map<String, Object>> current() {
        if (!DeclaredRoleManager.isInUse() || !isFirst()) {
            last = null;
            return null;
        }
        return recent();
    }

    /** Those of the last reading, unless it is too old; starts the next one when it is due. */
    synchronized @Nullable List<Map<String, Object>> recent() {
        long now = nanos.getAsLong();
        if (now - readAt > KEPT_NANOS) {
            last = null;
        }
        if (!reading && now - readAt >= EVERY_NANOS) {
            reading = true;
            try {
                threads.execute(() -> refresh(now));
            } catch (RuntimeException | OutOfMemoryError e) { // the latter: no more threads
                LOG.debug("Cannot start to read the roles of the cluster", e);
                reading = false;
            }
        }
        return last;
    }

    private void refresh(long begun) {
        @Nullable List<Map<String, Object>> found = null;
        try {
            found = reader.get().orElse(null);
        } catch (RuntimeException e) {
            LOG.debug("Cannot read the roles of the cluster", e);
        } finally { // an Error goes to the top of the thread
            synchronized (this) {
                last = found;
                reading = false;
                readAt = begun;
            }
        }
    }

    /** Whether this node is the first of its datacenter, by address, of those that gossip says serve clients. */
    private static boolean isFirst() {
        InetAddressAndPort self = FBUtilities.getBroadcastAddressAndPort();
        String here = DatabaseDescriptor.getLocalDataCenter();
        return Gossiper.instance.getLiveMembers().stream()
                .filter(e -> here.equals(DatabaseDescriptor.getEndpointSnitch().getDatacenter(e)))
                .filter(e -> StorageService.instance.getTokenMetadata().isMember(e))
                .filter(StorageService.instance::isRpcReady)
                .allMatch(e -> e.compareTo(self) >= 0);
    }

    private static Optional<List<Map<String, Object>>> read() {
        UntypedResultSet rows = select("SELECT role, can_login, is_superuser, member_of, TTL(can_login) AS login_ttl,"
                + " TTL(is_superuser) AS superuser_ttl,"
                + " WRITETIME(can_login) AS login_at, WRITETIME(is_superuser) AS superuser_at,"
                + " WRITETIME(salted_hash) AS password_at FROM system_auth.roles LIMIT " + (MOST_ROLES + 1));
        UntypedResultSet permissions = select(
                "SELECT role, resource, permissions FROM system_auth.role_permissions LIMIT " + (MOST_GRANTS + 1));
        if (rows.size() > MOST_ROLES || permissions.size() > MOST_GRANTS) {
            return tooMany();
        }
        Map<String, List<Map<String, Object>>> grants = new HashMap<>();
        for (UntypedResultSet.Row row : permissions) {
            grant(row, grants.computeIfAbsent(row.getString("role"), r -> new ArrayList<>()));
        }
        Set<String> temporary = new HashSet<>();
        for (UntypedResultSet.Row row : rows) {
            if (TemporaryLogin.isOne(row.getString("role"), seconds(row, "login_ttl"), seconds(row, "superuser_ttl"))) {
                temporary.add(row.getString("role"));
            }
        }
        List<Map<String, Object>> roles = new ArrayList<>();
        for (UntypedResultSet.Row row : rows) {
            String name = row.getString("role");
            if (!temporary.contains(name)) {
                roles.add(role(row, temporary, grants.getOrDefault(name, List.of())));
            }
        }
        return size(roles) > LARGEST ? tooMany() : Optional.of(roles);
    }

    private static Optional<List<Map<String, Object>>> tooMany() {
        NoSpamLogger.log(
                LOG,
                NoSpamLogger.Level.WARN,
                10,
                TimeUnit.MINUTES,
                "Changes of roles by CQL are not shown: more than {} roles, {} permissions or {} bytes of names",
                MOST_ROLES,
                MOST_GRANTS,
                LARGEST);
        return Optional.empty();
    }

    private static int seconds(UntypedResultSet.Row row, String name) {
        return row.has(name) ? row.getInt(name) : 0;
    }

    /** The bytes of all texts in it; JSON escapes a character with at most six. */
    static long size(Object value) {
        if (value instanceof Map<?, ?> map) {
            return map.values().stream().mapToLong(SeenRoles::size).sum();
        } else if (value instanceof Collection<?> all) {
            return all.stream().mapToLong(SeenRoles::size).sum();
        }
        return value.toString()
                .chars()
                .mapToLong(c -> c >= ' ' && c <= '~' ? 1 : 6)
                .sum();
    }

    /** A member of a login of Ringmaster is a superuser while that login lives. */
    static boolean isSuperuser(boolean written, Set<String> groups, Set<String> temporary) {
        return written || groups.stream().anyMatch(temporary::contains);
    }

    /** @param temporary logins of Ringmaster */
    private static Map<String, Object> role(
            UntypedResultSet.Row row, Set<String> temporary, List<Map<String, Object>> grants) {
        Set<String> groups = row.has("member_of") ? row.getSet("member_of", UTF8Type.instance) : Set.of();
        Map<String, Object> role = new LinkedHashMap<>();
        role.put("name", row.getString("role"));
        role.put("login", row.has("can_login") && row.getBoolean("can_login"));
        role.put(
                "superuser", isSuperuser(row.has("is_superuser") && row.getBoolean("is_superuser"), groups, temporary));
        role.put(
                "passwordChanged", isNewer(time(row, "password_at"), time(row, "login_at"), time(row, "superuser_at")));
        role.put("memberOf", new TreeSet<>(groups));
        role.put("grants", grants);
        return role;
    }

    /**
     * Ringmaster writes password, login and superuser in one statement, so with one time. {@code ALTER ROLE ... WITH
     * PASSWORD} writes the password alone.
     */
    static boolean isNewer(@Nullable Long password, @Nullable Long login, @Nullable Long superuser) {
        return password == null || login == null || superuser == null || password > Math.min(login, superuser);
    }

    private static @Nullable Long time(UntypedResultSet.Row row, String name) {
        return row.has(name) ? row.getLong(name) : null;
    }

    /** Leaves out functions, MBeans and what else a spec cannot name. */
    private static void grant(UntypedResultSet.Row row, List<Map<String, Object>> grants) {
        String resource = row.getString("resource");
        if (!row.has("permissions") || !resource.matches("(data|roles)(/.*)?")) {
            return;
        }
        Set<String> permissions = new TreeSet<>(row.getSet("permissions", UTF8Type.instance));
        if (isAll(resource, permissions)) {
            permissions.add("ALL");
        }
        grants.add(Map.of("resource", resource, "permissions", permissions));
    }

    static boolean isAll(String resource, Set<String> permissions) {
        try {
            IResource known = Resources.fromName(resource);
            return known.applicablePermissions().stream().map(Permission::name).allMatch(permissions::contains);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static UntypedResultSet select(String query) {
        return Objects.requireNonNull(QueryProcessor.process(query, ConsistencyLevel.LOCAL_QUORUM));
    }
}
