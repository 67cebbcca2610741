package io.ringmaster.backup.slice;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.backup.repository.BlobName;
import io.ringmaster.backup.repository.Sha256;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BlobTableTest {
    @Test
    void blobs_are_found_by_hash_and_by_name_however_many_there_are() {
        var table = new BlobTable();
        Map<BlobName, Long> added = new HashMap<>();
        for (int i = 0; i < 5000; i++) {
            var blob = new BlobName(Sha256.of(new byte[] {(byte) i, (byte) (i >> 8)}), i % 3);
            table.add(blob, i);
            added.put(blob, (long) i);
        }
        assertThat(table.size()).isEqualTo(5000);
        added.forEach((blob, number) -> {
            assertThat(table.find(blob.hash())).contains(blob);
            assertThat(table.number(blob)).isEqualTo(number);
            assertThat(table.number(new BlobName(blob.hash(), 9))).isEqualTo(-1);
        });
        Map<BlobName, Long> visited = new HashMap<>();
        table.forEach(visited::put);
        assertThat(visited).isEqualTo(added);
        assertThat(table.find("00".repeat(32))).isEmpty();
    }

    @Test
    void epochs_of_one_hash_are_apart_and_the_larger_number_counts() {
        var table = new BlobTable();
        String hash = "00".repeat(32);
        table.add(new BlobName(hash, 0), 5);
        table.add(new BlobName(hash, 1), 6);
        table.add(new BlobName(hash, 0), 4);
        assertThat(table.number(new BlobName(hash, 0))).isEqualTo(5);
        assertThat(table.number(new BlobName(hash, 1))).isEqualTo(6);
        table.set(new BlobName(hash, 0), 1);
        assertThat(table.number(new BlobName(hash, 0))).isEqualTo(1);
        assertThat(table.find(hash)).isPresent();
    }
}
