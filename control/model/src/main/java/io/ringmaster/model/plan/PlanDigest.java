package io.ringmaster.model.plan;

import io.ringmaster.model.name.Name;
import java.util.regex.Pattern;

/** Identifies what the plans of a request do, so that a user accepts exactly the plans of a dry run. */
public record PlanDigest(String value) implements Name {
    private static final Pattern ALLOWED = Pattern.compile("[0-9a-f]{32}");

    public PlanDigest {
        Name.check("digest of plans", value, ALLOWED);
    }

    @Override
    public String toString() {
        return value;
    }
}
