package io.ringmaster.wire.api;

import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.request.Request;
import io.ringmaster.model.request.RequestPart;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request, and how far it is in each datacenter; of another one as its server told last. */
public record OperationState(Request request, List<Part> parts) {
    public OperationState {
        parts = List.copyOf(parts);
    }

    /** Over in every datacenter that the cluster has. */
    public boolean hasEnded() {
        return parts.stream().allMatch(p -> p.part() != null && p.part().state().isOver());
    }

    /**
     * @param part null while that datacenter does not know of it
     * @param silence why nothing is heard from there now, or null
     */
    public record Part(DatacenterName datacenter, @Nullable RequestPart part, @Nullable String silence) {}
}
