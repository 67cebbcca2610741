package io.ringmaster.integration;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.ProtocolVersion;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.loadbalancing.NodeDistance;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.TokenMap;
import com.datastax.oss.driver.api.core.metadata.token.TokenRange;
import com.datastax.oss.driver.api.core.type.codec.TypeCodecs;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What each replica of a datacenter has of a table with an int as its key, asked alone: a read at ALL finds a row that
 * one replica of three has.
 */
final class EachReplica {
    /**
     * Of {@code ringmaster playground}: a node that has a row and is asked at ONE answers itself. Otherwise it
     * may ask another replica, which was faster lately.
     */
    private static final String OPTION = "--parameter=dynamic_snitch=false";

    private static final int PAGE = 5000;

    /** By node and key. */
    private final Map<Node, Map<Integer, Row>> rows = new HashMap<>();

    private final TokenMap tokens;
    private final String keyspace;

    static String[] options(String... more) {
        return Stream.concat(Stream.of(OPTION), Stream.of(more)).toArray(String[]::new);
    }

    /**
     * @param session in whose datacenter the replicas are
     * @param table of the keyspace; its key is the first column
     */
    EachReplica(CqlSession session, String keyspace, String table) {
        this.keyspace = keyspace;
        tokens = session.getMetadata().getTokenMap().orElseThrow();
        for (Node node : session.getMetadata().getNodes().values()) {
            if (node.getDistance() == NodeDistance.LOCAL) {
                rows.put(node, read(session, node, table));
            }
        }
    }

    private Map<Integer, Row> read(CqlSession session, Node node, String table) {
        Map<Integer, Row> found = new HashMap<>();
        Set<TokenRange> ranges = tokens.getTokenRanges(keyspace, node);
        for (TokenRange range :
                ranges.stream().flatMap(r -> r.unwrap().stream()).toList()) {
            SimpleStatement statement = SimpleStatement.newInstance(
                            "SELECT * FROM " + keyspace + "." + table + where(range, session, table))
                    .setConsistencyLevel(DefaultConsistencyLevel.LOCAL_ONE)
                    .setNode(node)
                    .setPageSize(PAGE);
            session.execute(statement).forEach(row -> found.put(row.getInt(0), row));
        }
        return found;
    }

    /** The last range of a ring ends at the least token. */
    private String where(TokenRange range, CqlSession session, String table) {
        String key = session.getMetadata()
                .getKeyspace(keyspace)
                .flatMap(k -> k.getTable(table))
                .orElseThrow()
                .getPartitionKey()
                .get(0)
                .getName()
                .asCql(true);
        String token = "token(" + key + ")";
        String after = " WHERE " + token + " > " + tokens.format(range.getStart());
        String end = tokens.format(range.getEnd());
        return end.equals(String.valueOf(Long.MIN_VALUE)) ? after : after + " AND " + token + " <= " + end;
    }

    /** The nodes of the datacenter. */
    Set<Node> nodes() {
        return rows.keySet();
    }

    /** What each replica of this row has: null for none. */
    List<@Nullable Row> of(int key) {
        var bytes = Objects.requireNonNull(TypeCodecs.INT.encode(key, ProtocolVersion.DEFAULT));
        List<@Nullable Row> found = new ArrayList<>();
        for (Node node : tokens.getReplicas(keyspace, bytes)) {
            if (rows.containsKey(node)) {
                found.add(rows.get(node).get(key));
            }
        }
        return found;
    }

    /** Whether this row has replicas, and each of them has it as it is right. */
    boolean have(int key, Predicate<Row> right) {
        int replicas = of(key).size();
        return replicas > 0 && copies(key, right) == replicas;
    }

    /**
     * Whether a quorum of the replicas has the row as it is right. More is not promised after a coordinator was killed:
     * the writes that it had under way, and its hints of the last seconds, end with it.
     */
    boolean quorumHas(int key, Predicate<Row> right) {
        return copies(key, right) > of(key).size() / 2;
    }

    private long copies(int key, Predicate<Row> right) {
        return of(key).stream().filter(row -> row != null && right.test(row)).count();
    }

    /** Its nodes with the number of rows of each. */
    @Override
    public String toString() {
        return rows.entrySet().stream()
                .map(e -> e.getKey().getEndPoint() + " has " + e.getValue().size() + " rows")
                .collect(Collectors.joining(", "));
    }
}
