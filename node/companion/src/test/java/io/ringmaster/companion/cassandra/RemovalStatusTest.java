package io.ringmaster.companion.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.companion.CassandraParts;
import java.lang.reflect.Field;
import java.net.UnknownHostException;
import java.util.Set;
import org.apache.cassandra.dht.Murmur3Partitioner.LongToken;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.service.StorageService;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RemovalStatusTest {
    private static final String WAITING = "Removing token (-42). Waiting for replication confirmation from [";

    @BeforeAll
    static void start() {
        CassandraParts.start();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "No token removals in process. | ''",
                WAITING + "]. | ''",
                WAITING + "/127.7.2.1:7000]. | ''",
                WAITING + "/127.7.2.1:7000,/127.7.2.2:7000]. | 127.7.2.2:7000",
                WAITING + "node-3.rides/127.7.2.3:7001]. | 127.7.2.3:7001",
                WAITING + "/[0:0:0:0:0:0:0:1]:7000]. | [0:0:0:0:0:0:0:1]:7000",
            })
    void the_replicas_that_are_down_are_named(String status, String silent) {
        Set<String> alive = Set.of("127.7.2.1:7000");
        assertThat(String.join(",", RemovalStatus.silent(status, e -> alive.contains(e.getHostAddressAndPort()))))
                .isEqualTo(silent);
    }

    @Test
    void cassandra_has_the_sentence_that_is_read() throws ReflectiveOperationException, UnknownHostException {
        assertThat(RemovalStatus.silentReplicas()).as("no removal").isEmpty();
        InetAddressAndPort removed = InetAddressAndPort.getByName("127.7.2.8");
        InetAddressAndPort replica = InetAddressAndPort.getByName("127.7.2.9");
        StorageService.instance.getTokenMetadata().updateNormalToken(new LongToken(-42), removed);
        field("removingNode").set(StorageService.instance, removed);
        Set<InetAddressAndPort> waitedFor = waitedFor();
        waitedFor.add(replica);
        try {
            assertThat(RemovalStatus.silentReplicas()).containsExactly("127.7.2.9:7000");
        } finally {
            waitedFor.clear();
            field("removingNode").set(StorageService.instance, null);
            StorageService.instance.getTokenMetadata().clearUnsafe();
        }
    }

    @SuppressWarnings("unchecked")
    private static Set<InetAddressAndPort> waitedFor() throws ReflectiveOperationException {
        return (Set<InetAddressAndPort>) field("replicatingNodes").get(StorageService.instance);
    }

    private static Field field(String name) throws ReflectiveOperationException {
        Field field = StorageService.class.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }
}
