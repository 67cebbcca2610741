package io.ringmaster.simulator.repository;

import io.ringmaster.backup.repository.BackupId;
import io.ringmaster.backup.slice.SliceBuffer;
import io.ringmaster.backup.store.BackupStore;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.NodeTask.Kind;
import io.ringmaster.transfer.TransferMachine;
import io.ringmaster.transfer.TransferProgress;
import io.ringmaster.transfer.TransferRequest;
import io.ringmaster.transfer.TransferStreams;
import io.ringmaster.transfer.Works;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Starts the real transfer program's works as actors. One that is killed is started again, as executors do. */
final class Transfers {
    private final ActorSchedule schedule;
    private final SimObjects objects;
    private final Judge judge;
    private final Workshop workshop;
    private final ProtocolBug bug;
    private int numbered;

    Transfers(ActorSchedule schedule, SimObjects objects, Judge judge, Workshop workshop, ProtocolBug bug) {
        this.schedule = schedule;
        this.objects = objects;
        this.judge = judge;
        this.workshop = workshop;
        this.bug = bug;
    }

    Actor start(Kind kind, NodeId node, Path volume, BackupId backup, Map<String, String> more) {
        Map<String, String> arguments = new LinkedHashMap<>(more);
        arguments.put("to", "main");
        arguments.put("cluster", Judge.KEYS.cluster().toString());
        arguments.put("incarnation", Judge.KEYS.incarnation());
        arguments.put("backup", backup.value());
        String name = kind.label() + "-" + ++numbered;
        var request = new TransferRequest(
                new NodeTask(name, kind, arguments),
                node,
                volume.toString(),
                volume.resolve("locations").toString());
        schedule.trace().add(name, "is started on " + node + " for " + backup + " with " + new TreeMap<>(more));
        return schedule.start(name, self -> run(self, request));
    }

    private void run(Actor self, TransferRequest request) {
        SliceBuffer buffer = workshop.takeBuffer();
        try {
            while (!self.isDone()) {
                attempt(self, request, buffer);
            }
        } finally {
            workshop.giveBack(buffer);
        }
    }

    private void attempt(Actor self, TransferRequest request, SliceBuffer buffer) {
        var machine = new TransferMachine(
                TransferStreams.oneByOne(buffer),
                () -> TimeUnit.MILLISECONDS.toNanos(schedule.clock().nowMillis()),
                () -> schedule.clock().now());
        BackupStore store = new ActorStore(self, schedule, objects, judge);
        if (bug != ProtocolBug.NONE) {
            store = new PlantedStore(store, bug, objects, request.task().kind());
        }
        try {
            String message =
                    Works.of(request, store, new TransferProgress(), machine).run();
            schedule.trace().add(self.name, "is done: " + message);
            self.finish(true);
        } catch (Killed e) {
            schedule.sleep(self, schedule.faults().pauseMillis()); // dies here if it is not to be started again
        } catch (IOException e) {
            schedule.trace().add(self.name, "fails: " + e.getMessage());
            self.finish(false);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
