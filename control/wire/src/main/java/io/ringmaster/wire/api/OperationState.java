package io.ringmaster.wire.api;

import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.request.Request;
import io.ringmaster.model.request.RequestPart;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request and its progress in each datacenter; for another datacenter as last reported. */
public record OperationState(Request request, List<Part> parts) {
    public OperationState {
        parts = List.copyOf(parts);
    }

    /** Whether it is over in every datacenter of the cluster. */
    public boolean hasEnded() {
        return parts.stream().allMatch(p -> p.part() != null && p.part().state().isOver());
    }

    /**
     * @param part null until that datacenter knows of the request
     * @param silence why that datacenter does not answer, or null
     */
    public record Part(DatacenterName datacenter, @Nullable RequestPart part, @Nullable String silence) {}
}
