package io.ringmaster.wire.api;

import io.ringmaster.model.request.LockScope;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An entry of the catalogue of operations.
 *
 * @param lockScope what it needs for itself; null for one that follows from declaring or deleting a cluster and is not asked for by its name
 */
public record OperationInfo(String name, String summary, @Nullable LockScope lockScope, List<Param> params) {
    public OperationInfo {
        params = List.copyOf(params);
    }

    /** @param form what a value looks like */
    public record Param(String name, String form, boolean required, String help) {}
}
