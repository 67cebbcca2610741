package io.ringmaster.pool.mesos;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.command.Command;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState.Status;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.ports.Pool;
import io.ringmaster.ports.PoolContract;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** On a real master and three agents, whose tasks sleep. */
@Tag("mesos")
class RealMesosContractTest extends PoolContract {
    private static final String MARK = "TASK_OF_TEST=";

    private static MesosTestbed mesos;

    @BeforeAll
    static void startMesos() {
        Optional<String> lacks = MesosTestbed.lacks();
        Assumptions.assumeTrue(lacks.isEmpty(), () -> lacks.orElse(""));
        mesos = MesosTestbed.up();
    }

    @AfterAll
    static void stopMesos() {
        if (mesos != null) {
            mesos.close();
        }
    }

    @Override
    protected Pool open() {
        return new MesosPool(
                MesosSamples.settings(MesosTestbed.MASTER),
                start -> "export " + MARK + start.allocation().id() + "; exec sleep 100000");
    }

    @Override
    protected Allocation allocation(int index) {
        Allocation sample = MesosSamples.allocation(index);
        return new Allocation(
                sample.id(),
                sample.node(),
                new MachineName(MesosTestbed.machine(1)),
                sample.ports(),
                sample.resources());
    }

    @Override
    protected Optional<String> executorRun(Allocation allocation) {
        return Optional.ofNullable(mesos.tasks().get(allocation.id().value()));
    }

    @Override
    protected void crashExecutor(Allocation allocation) {
        Optional<String> task = executorRun(allocation);
        String mark = MARK + allocation.id() + "\0";
        mesos.until(task + " ends", () -> {
            // again, because the shell of a task that has just started does not show the mark yet
            ProcessHandle.allProcesses()
                    .filter(p -> environment(p.pid()).contains(mark))
                    .forEach(ProcessHandle::destroyForcibly);
            return !executorRun(allocation).equals(task);
        });
    }

    private static String environment(long pid) {
        try {
            byte[] environment = Files.readAllBytes(Path.of("/proc/" + pid + "/environ"));
            return new String(environment, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }

    private static Path file(Path volume) {
        return volume.resolve("file");
    }

    @Override
    protected void writeToVolume(Allocation allocation, String text) {
        Path volume = mesos.volume(allocation.id().value()).orElseThrow();
        try {
            Files.writeString(file(volume), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    protected Optional<String> readFromVolume(Allocation allocation) {
        return mesos.volume(allocation.id().value())
                .map(RealMesosContractTest::file)
                .filter(Files::exists)
                .map(file -> {
                    try {
                        return Files.readString(file);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
    }

    @Test
    void what_is_reserved_without_a_volume_is_adopted_or_given_back() {
        Pool pool = start();
        running(allocation(0));
        pool.kill(new Command.Kill(allocation(0).id()), EPOCH);
        facts.clear();
        await(allocation(0), Status.RESERVED);
        String id = allocation(0).id().value();
        mesos.destroyVolume(id);
        assertThat(await(allocation(0), Status.FAILED).problem().message()).contains("has no volume");
        facts.clear();
        reserve(allocation(0));
        launch(allocation(0));
        await(allocation(0), Status.RUNNING);

        pool.kill(new Command.Kill(allocation(0).id()), EPOCH);
        facts.clear();
        await(allocation(0), Status.RESERVED);
        mesos.destroyVolume(id);
        pool.release(new Command.Release(allocation(0).id(), false), EPOCH);
        awaitGone(allocation(0));
        mesos.until("nothing is reserved", () -> !mesos.isReserved(id));
    }
}
