package io.ringmaster.integration.contract;

import io.ringmaster.authority.AuthorityDirectory;
import io.ringmaster.authority.Issuer;
import io.ringmaster.executor.api.Door;
import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.model.authority.AuthorityName;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.ports.Authorities;
import io.ringmaster.ports.DoorFiles;
import io.ringmaster.ports.SampleRecords;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;

/** The same by TLS, with the files of a door. */
class SecureExecutorApiContractTest extends ExecutorApiContractTest {
    @Override
    Authorities authorities() {
        AuthorityName control = AuthorityName.control(SampleRecords.DC1, 1);
        var issuer = new Issuer(
                new AuthorityDirectory(directory.resolve("authority")), control, Duration.ofDays(1), Instant::now);
        issuer.make(control);
        return issuer;
    }

    @Override
    Door door(Allocation allocation, NodeFiles files) throws IOException {
        DoorFiles door = authorities().door(allocation.id());
        Files.writeString(files.allocation().resolve(DoorFiles.SERVERS), door.servers());
        Files.writeString(files.allocation().resolve(DoorFiles.DOOR), door.identity());
        return Door.open(files.allocation(), SampleRecords.DC1, false);
    }
}
