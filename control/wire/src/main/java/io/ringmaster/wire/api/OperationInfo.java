package io.ringmaster.wire.api;

import io.ringmaster.model.request.LockScope;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An entry of the catalogue of operations.
 *
 * @param lockScope the operations that it excludes; null for an operation that follows from applying or deleting a spec
 *     and cannot be requested by name
 */
public record OperationInfo(String name, String summary, @Nullable LockScope lockScope, List<Param> params) {
    public OperationInfo {
        params = List.copyOf(params);
    }

    /** @param form the syntax of a value */
    public record Param(String name, String form, boolean required, String help) {}
}
