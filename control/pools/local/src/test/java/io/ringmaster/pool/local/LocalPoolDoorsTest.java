package io.ringmaster.pool.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.pool.base.Doors;
import io.ringmaster.ports.DoorFiles;
import io.ringmaster.ports.DoorsContract;
import io.ringmaster.ports.Pool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalPoolDoorsTest extends DoorsContract {
    @TempDir
    Path state;

    private final LocalPoolTest basis = new LocalPoolTest();
    /** By directory, whether the last start had a door. */
    private final Map<Path, Boolean> told = new ConcurrentHashMap<>();

    @BeforeEach
    void shareTheState() {
        basis.state = state;
    }

    @Override
    protected Pool open() {
        return new LocalPool(new LocalPoolSettings(
                state,
                List.of(LocalPoolTest.machine(1)),
                (start, progress) -> {
                    told.put(start.directory(), start.door());
                    return StandInExecutor.WITH_DAEMON.command(start, progress);
                },
                Addresses.MACHINE,
                new Doors(authorities, doors, Instant::now),
                false));
    }

    @Override
    protected Optional<DoorFiles> door(Allocation allocation) {
        return basis.folder(allocation).door();
    }

    @Test
    void the_files_are_for_the_owner_alone_and_the_executor_is_told() throws IOException {
        authorities.make(CONTROL);
        start();
        running(allocation(0));
        Path folder = basis.folder(allocation(0)).path();
        for (String file : List.of(DoorFiles.DOOR, DoorFiles.SERVERS)) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(file))))
                    .isEqualTo("rw-------");
        }
        assertThat(told).containsEntry(folder, true);
    }

    @Test
    void a_damaged_door_is_replaced_and_a_copy_of_a_folder_stops_nothing() throws IOException {
        authorities.make(CONTROL);
        start();
        running(allocation(0));
        Path folder = basis.folder(allocation(0)).path();
        String whole = Files.readString(folder.resolve(DoorFiles.SERVERS));
        Files.createDirectory(folder.resolveSibling(folder.getFileName() + ".bak"));
        Files.delete(folder.resolve(DoorFiles.SERVERS));
        Files.write(folder.resolve(DoorFiles.DOOR), new byte[] {(byte) 0xff, (byte) 0xfe});
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!Files.exists(folder.resolve(DoorFiles.SERVERS)) && System.nanoTime() < end) {
            LockSupport.parkNanos(20_000_000);
        }
        assertThat(folder.resolve(DoorFiles.SERVERS)).hasContent(whole);
    }

    @Override
    protected Allocation allocation(int index) {
        return basis.allocation(index);
    }

    @Override
    protected Optional<String> executorRun(Allocation allocation) {
        return basis.executorRun(allocation);
    }

    @Override
    protected void crashExecutor(Allocation allocation) {
        basis.crashExecutor(allocation);
    }

    @Override
    protected void writeToVolume(Allocation allocation, String text) {
        basis.writeToVolume(allocation, text);
    }

    @Override
    protected Optional<String> readFromVolume(Allocation allocation) {
        return basis.readFromVolume(allocation);
    }
}
