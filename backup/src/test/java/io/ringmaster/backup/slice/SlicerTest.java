package io.ringmaster.backup.slice;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.backup.repository.RepositoryFile;
import io.ringmaster.backup.repository.Sha256;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SlicerTest {
    private static final int SLICE = RepositoryFile.SLICE_BYTES;

    @TempDir
    Path directory;

    private final SliceBuffer buffer = new SliceBuffer();

    @Test
    void slices_are_the_file() throws Exception {
        for (int size : new int[] {0, 1, 4096, (1 << 20) + 1, SLICE, SLICE + 4097}) {
            byte[] bytes = bytes(size);
            Path file = Files.write(directory.resolve("file-" + size), bytes);
            var read = new ByteArrayOutputStream();
            int slices = 0;
            try (var slicer = new Slicer(file, buffer)) {
                for (int length = slicer.next(); length > 0; length = slicer.next()) {
                    byte[] slice = Arrays.copyOf(buffer.bytes(), length);
                    assertThat(slicer.sha256()).isEqualTo(Sha256.of(slice)).isEqualTo(buffer.sha256(length));
                    read.write(slice);
                    slices++;
                }
            }
            assertThat(read.toByteArray()).isEqualTo(bytes);
            assertThat(slices).isEqualTo(Slicer.count(size));
        }
    }

    @Test
    void a_file_system_without_direct_reads_is_read_through_the_cache() throws Exception {
        Path file =
                Files.write(Path.of("/dev/shm/slicer-" + ProcessHandle.current().pid()), bytes(5000));
        try (var slicer = new Slicer(file, buffer)) {
            assertThat(slicer.next()).isEqualTo(5000);
            assertThat(slicer.next()).isZero();
        } finally {
            Files.delete(file);
        }
    }

    @Test
    void a_bundle_is_its_files_one_after_another() throws Exception {
        var bundle = new Bundle(buffer);
        assertThat(bundle.add(Files.write(directory.resolve("a"), bytes(1000)), 1000))
                .hasValue(0);
        Path second = Files.write(directory.resolve("b"), bytes(5000));
        assertThat(bundle.add(second, 5000)).hasValue(1000);
        assertThat(bundle.length()).isEqualTo(6000);
        assertThat(Arrays.copyOfRange(buffer.bytes(), 1000, 6000)).isEqualTo(bytes(5000));
        assertThat(bundle.fits(SLICE - 6000)).isTrue();
        assertThat(bundle.fits(SLICE - 5999)).isFalse();
        assertThat(bundle.add(second, 4999)).isEmpty();
        assertThat(bundle.length()).as("a file of another size is not in it").isEqualTo(6000);
        bundle.cut(1000);
        assertThat(bundle.length()).isEqualTo(1000);
    }

    @Test
    void links_of_one_file_have_one_key() throws Exception {
        Path file = Files.write(directory.resolve("nb-1-big-Data.db"), bytes(10));
        assertThat(FileIdentity.of(file).links()).isEqualTo(1);
        Path link = Files.createLink(directory.resolve("link"), file);
        assertThat(FileIdentity.of(link)).isEqualTo(FileIdentity.of(file));
        assertThat(FileIdentity.of(link).links()).isEqualTo(2);
        assertThat(FileIdentity.of(Files.write(directory.resolve("other"), bytes(10)))
                        .key())
                .isNotEqualTo(FileIdentity.of(file).key());
    }

    private static byte[] bytes(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }
}
