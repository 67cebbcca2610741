package io.ringmaster.core.assess;

import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.RestoreSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Whether somebody could log in to a restored cluster by a password that everybody knows. No role is restored, and
 * Cassandra's own role manager makes its default superuser where there is none.
 */
final class RestoreLogin {
    private static final String AUTHENTICATOR = "authenticator";
    private static final String PACKAGE = "org.apache.cassandra.auth.";
    private static final String ALLOW_ALL = "AllowAllAuthenticator";

    private RestoreLogin() {}

    /** The refusal of an authenticator that the spec configures itself, instead of by roles. */
    static Optional<Problem> problem(ClusterSpec spec, RestoreSource restore) {
        Object own = spec.roles() == null ? spec.cassandraYaml().get(AUTHENTICATOR) : null;
        return own == null || letsAllIn(own)
                ? Optional.empty()
                : Optional.of(new Problem(
                        ErrorCode.SPEC_INVALID,
                        "cassandra_yaml." + AUTHENTICATOR,
                        "without roles would let everybody in as cassandra with the password cassandra, because no role"
                                + " is restored",
                        Advice.command(restore.command(spec.name()) + " --print-spec")
                                .prefix("declare roles, and leave out the parameters that they set: ")
                                .suffix(" prints the spec to edit")));
    }

    /** Cassandra takes a name, a mapping with {@code class_name}, or a list of one of these. */
    private static boolean letsAllIn(Object authenticator) {
        Object one = authenticator instanceof List<?> list && list.size() == 1 ? list.get(0) : authenticator;
        String name = String.valueOf(one instanceof Map<?, ?> mapping ? mapping.get("class_name") : one);
        return name.equals(ALLOW_ALL) || name.equals(PACKAGE + ALLOW_ALL);
    }
}
