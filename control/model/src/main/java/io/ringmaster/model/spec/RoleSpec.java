package io.ringmaster.model.spec;

import io.ringmaster.model.name.RoleName;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A role that the cluster has.
 *
 * @param login whether clients log in with it
 * @param password null for a role without one
 * @param memberOf the roles whose permissions it has, too
 */
public record RoleSpec(
        RoleName name,
        boolean login,
        boolean superuser,
        @Nullable PasswordSource password,
        List<RoleName> memberOf,
        List<RoleGrant> grants) {
    public RoleSpec {
        memberOf = List.copyOf(memberOf);
        grants = List.copyOf(grants);
    }

    /** For people: {@code login, password file:app, SELECT ON KEYSPACE trips}. */
    public String text() {
        List<String> parts = new ArrayList<>();
        if (login) {
            parts.add("login");
        }
        if (superuser) {
            parts.add("superuser");
        }
        if (password != null) {
            parts.add("password " + password.text());
        }
        if (!memberOf.isEmpty()) {
            parts.add("member of " + memberOf.stream().map(RoleName::value).collect(Collectors.joining(", ")));
        }
        grants.forEach(g -> parts.add(g.text()));
        return parts.isEmpty() ? "no login" : String.join("; ", parts);
    }
}
