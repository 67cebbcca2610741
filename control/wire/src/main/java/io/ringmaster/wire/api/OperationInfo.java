package io.ringmaster.wire.api;

import io.ringmaster.model.request.LockScope;
import io.ringmaster.model.request.ParamKind;
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

    /**
     * @param form the syntax of a value
     * @param kind what a value names; null from servers of older versions
     * @param several commas separate several values
     * @param choices the values of the kind {@code CHOICE}; otherwise empty
     */
    public record Param(
            String name,
            String form,
            boolean required,
            String help,
            @Nullable ParamKind kind,
            boolean several,
            List<String> choices) {
        public Param {
            choices = choices == null ? List.of() : List.copyOf(choices);
        }
    }
}
