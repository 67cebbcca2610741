package io.ringmaster.companion.access;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A role of the spec.
 *
 * @param hash bcrypt of its password; null for one without a password of the spec
 * @param memberOf the roles whose permissions it has, too
 * @param leaves the roles that an earlier spec named there
 * @param revokes what an earlier spec granted
 */
public record DeclaredRole(
        String name,
        boolean login,
        boolean superuser,
        @Nullable String hash,
        Set<String> memberOf,
        Set<String> leaves,
        List<DeclaredGrant> grants,
        List<DeclaredGrant> revokes) {
    private static final String ROLE = "role.";
    private static final String LOGIN = "login";
    private static final String SUPERUSER = "superuser";
    private static final Set<String> ATTRIBUTES = Set.of(LOGIN, SUPERUSER);

    public DeclaredRole {
        memberOf = Set.copyOf(memberOf);
        leaves = Set.copyOf(leaves);
        grants = List.copyOf(grants);
        revokes = List.copyOf(revokes);
    }

    /** Without its hash, which must not reach a log. */
    @Override
    public String toString() {
        return "role " + name;
    }

    /**
     * All roles in the arguments of a task: {@code role.app: login}, {@code hash.app}, {@code member_of.app}, {@code
     * leave.app}, {@code grant.app} and {@code revoke.app}, with commas between several values.
     *
     * @throws IllegalArgumentException naming what is wrong
     */
    public static List<DeclaredRole> of(Map<String, String> args) {
        List<DeclaredRole> roles = new ArrayList<>();
        for (String key : args.keySet()) {
            if (key.startsWith(ROLE)) {
                roles.add(role(key.substring(ROLE.length()), args));
            }
        }
        return roles;
    }

    private static DeclaredRole role(String name, Map<String, String> args) {
        Set<String> attributes = Set.copyOf(list(args, ROLE + name));
        if (!ATTRIBUTES.containsAll(attributes)) {
            throw new IllegalArgumentException("role " + name + " has " + attributes + ", known are " + ATTRIBUTES);
        }
        String hash = args.get("hash." + name);
        if (args.containsKey("password." + name) && (hash == null || hash.isEmpty())) {
            throw new IllegalArgumentException("the password of role " + name + " did not arrive");
        }
        return new DeclaredRole(
                name,
                attributes.contains(LOGIN),
                attributes.contains(SUPERUSER),
                hash,
                Set.copyOf(list(args, "member_of." + name)),
                Set.copyOf(list(args, "leave." + name)),
                DeclaredGrant.list(list(args, "grant." + name)),
                DeclaredGrant.list(list(args, "revoke." + name)));
    }

    private static List<String> list(Map<String, String> args, String key) {
        String text = args.getOrDefault(key, "");
        return text.isEmpty() ? List.of() : Arrays.asList(text.split(","));
    }
}
