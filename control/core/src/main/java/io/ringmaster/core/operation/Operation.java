package io.ringmaster.core.operation;

import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.request.LockScope;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Something that can be asked for. REST, CLI and web list the catalogue {@code Operations}, so that adding one changes nothing else. */
public interface Operation {
    /** Its stable name: {@code deploy}. */
    String name();

    /** One line for help texts. */
    String summary();

    List<Param> params();

    /** What it needs for itself, for one that users ask for; empty for what follows from declaring or deleting a cluster. */
    default Optional<LockScope> lockScope() {
        return Optional.empty();
    }

    /** The plan for this datacenter's part, or a refusal. Pure: asking twice gives the same plan, so that a dry run shows what would happen. */
    Planned plan(View view, ClusterName cluster, Map<String, String> params);

    /** @param form what a value looks like, for help and validation messages */
    record Param(String name, String form, boolean required, String help) {}
}
