package io.ringmaster.core.operation;

import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.request.LockScope;
import io.ringmaster.model.request.ParamKind;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An operation that a user or a spec can request. REST and CLI list the catalogue {@code Operations}, so an operation
 * is added there alone.
 */
public interface Operation {
    /** The stable name, such as {@code deploy}. */
    String name();

    /** One line for help texts. */
    String summary();

    List<Param> params();

    /**
     * The lock that a requested operation holds; empty for operations that follow from declaring or deleting a cluster.
     */
    default Optional<LockScope> lockScope() {
        return Optional.empty();
    }

    /**
     * The parameters of a new request, with those that the server chooses once so that all datacenters have the same.
     *
     * @param given as the user gave them, all known
     */
    default Map<String, String> complete(View view, Map<String, String> given) {
        return given;
    }

    /**
     * The plan for this datacenter's part, or a refusal. Pure: two calls with the same view give the same plan, so that
     * a dry run shows the real one.
     */
    Planned plan(View view, ClusterName cluster, Map<String, String> params);

    /**
     * @param form what a value looks like, for help and validation messages
     * @param kind what a value names
     * @param choices the values of the kind {@code CHOICE}; otherwise empty
     */
    record Param(String name, String form, boolean required, String help, ParamKind kind, List<String> choices) {
        public Param {
            choices = List.copyOf(choices);
        }

        /** A parameter of a kind that has no choices. */
        Param(String name, String form, boolean required, String help, ParamKind kind) {
            this(name, form, required, help, kind, List.of());
        }

        /** Whether commas separate several values. */
        public boolean several() {
            return form.contains("[,");
        }
    }
}
