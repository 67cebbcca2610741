package io.ringmaster.backup.repository;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.RackName;
import java.util.List;
import java.util.Locale;

/**
 * A member of the ring, as a node saw it at its snapshot.
 *
 * @param tokens sorted as text, so that equal members are equal
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record RingEntry(String hostId, DatacenterName datacenter, RackName rack, List<String> tokens) {
    public RingEntry {
        hostId = hostId.toLowerCase(Locale.ROOT);
        tokens = tokens.stream().sorted().toList();
    }
}
