package io.ringmaster.companion;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.companion.task.Repairs;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.ObjectName;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.dht.Murmur3Partitioner.LongToken;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.gms.Gossiper;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.TokenMetadata;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.KeyspaceParams;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.SchemaTransformations;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.Tables;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.FBUtilities;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The answer of a node with many tables and tokens, beside one whose tokens another node took over. */
@Timeout(180)
class NodeViewTest {
    private static final int TABLES = 1048;
    private static final int TOKENS = 256;
    private static final int NODES = 6;

    private static final ObjectName STORAGE_SERVICE = name("org.apache.cassandra.db:type=StorageService");

    private static TokenMetadata live;

    @BeforeAll
    static void start() throws IOException, JMException {
        CassandraParts.startTables();
        live = StorageService.instance.getTokenMetadata();
        InetAddressAndPort self = FBUtilities.getBroadcastAddressAndPort();
        var random = new Random(7);
        member(self, tokens(random));
        for (int i = 2; i <= NODES; i++) {
            member(InetAddressAndPort.getByName("127.7.2." + i), tokens(random));
        }
        InetAddressAndPort replaced = InetAddressAndPort.getByName("127.7.2.99");
        List<Token> disputed = tokens(random);
        member(replaced, disputed);
        live.updateNormalTokens(
                Stream.concat(disputed.stream(), tokens(random).stream()).toList(), self);
        ManagementFactory.getPlatformMBeanServer().registerMBean(StorageService.instance, STORAGE_SERVICE);
        Gossiper.instance.unsafeSetEnabled();
        Schema.instance.transform(SchemaTransformations.addKeyspace(
                KeyspaceMetadata.create("rides", KeyspaceParams.nts("datacenter1", 3), Tables.of(tables())), false));
    }

    private static ObjectName name(String text) {
        try {
            return new ObjectName(text);
        } catch (JMException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static void member(InetAddressAndPort endpoint, List<Token> tokens) {
        UUID id = UUID.randomUUID();
        Gossiper.instance.initializeNodeUnsafe(endpoint, id, 1);
        live.updateHostId(id, endpoint);
        live.updateNormalTokens(tokens, endpoint);
    }

    private static List<Token> tokens(Random random) {
        return random.longs(TOKENS).<Token>mapToObj(LongToken::new).toList();
    }

    private static List<TableMetadata> tables() {
        return IntStream.range(0, TABLES)
                .mapToObj(i -> TableMetadata.builder("rides", "t" + i)
                        .addPartitionKeyColumn("id", Int32Type.instance)
                        .build())
                .toList();
    }

    @AfterAll
    static void clear() throws JMException {
        ManagementFactory.getPlatformMBeanServer().unregisterMBean(STORAGE_SERVICE);
        live.clearUnsafe();
        Gossiper.instance.clearUnsafe();
    }

    @Test
    @SuppressWarnings("LockOnNonEnclosingClassLiteral") // to hold up the computation is the purpose
    void an_answer_takes_milliseconds_and_what_is_costly_follows() throws Exception {
        var view = new NodeView(new Thread(() -> {}), new ClosedCql());
        synchronized (Repairs.class) {
            long[] nanos = IntStream.range(0, 50)
                    .mapToLong(i -> {
                        long asked = System.nanoTime();
                        assertThat(repaired(view))
                                .as("not computed in an answer")
                                .isNull();
                        return System.nanoTime() - asked;
                    })
                    .sorted()
                    .toArray();
            assertThat(TimeUnit.NANOSECONDS.toMillis(nanos[nanos.length / 4]))
                    .as("a quarter of %s ns", Arrays.toString(nanos))
                    .isLessThan(20);
        }
        while (ring(view).get("ownership").equals(0.0) || repaired(view) == null) {
            Thread.sleep(50);
        }
        assertThat((double) ring(view).get("ownership")).isBetween(0.1, 0.6);
        assertThat(repaired(view)).isEqualTo(Map.of("share", 0.0));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> ring(NodeView view) {
        return (Map<String, Object>) view.read().get("ring");
    }

    @SuppressWarnings("unchecked")
    private static Object repaired(NodeView view) {
        return ((List<Map<String, Object>>) ring(view).get("keyspaces"))
                .stream()
                        .filter(k -> k.get("name").equals("rides"))
                        .findFirst()
                        .orElseThrow()
                        .get("repaired");
    }
}
