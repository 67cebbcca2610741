package io.ringmaster.core.operation;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The catalogue of operations, from which REST and CLI list them. A new operation is one file and one line here. */
public final class Operations {
    private static final List<Operation> ALL = Stream.concat(
                    Stream.of(
                            new Deploy(),
                            new Delete(),
                            new Restart(),
                            new Repair(),
                            new Rebuild(),
                            new Compare(),
                            new Replace(),
                            new Evacuate(),
                            new StartStopCluster(false),
                            new StartStopCluster(true),
                            new RoleRewrite(),
                            new RoleReplication(),
                            new Backup(),
                            new BackupVerify(),
                            new BackupDelete(),
                            new BackupCheck()),
                    TaskOperation.ALL.stream())
            .toList();

    private Operations() {}

    public static List<Operation> all() {
        return ALL;
    }

    public static Optional<Operation> named(String name) {
        return ALL.stream().filter(o -> o.name().equals(name)).findFirst();
    }
}
