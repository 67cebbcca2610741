package io.ringmaster.core.spec;

import static io.ringmaster.model.spec.RolePermission.ALL;
import static io.ringmaster.model.spec.RolePermission.ALTER;
import static io.ringmaster.model.spec.RolePermission.AUTHORIZE;
import static io.ringmaster.model.spec.RolePermission.CREATE;
import static io.ringmaster.model.spec.RolePermission.DESCRIBE;
import static io.ringmaster.model.spec.RolePermission.DROP;
import static io.ringmaster.model.spec.RolePermission.MODIFY;
import static io.ringmaster.model.spec.RolePermission.SELECT;
import static io.ringmaster.model.spec.RolePermission.SELECT_MASKED;
import static io.ringmaster.model.spec.RolePermission.UNMASK;

import io.ringmaster.model.spec.RoleGrant;
import io.ringmaster.model.spec.RolePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads permissions as CQL has them: {@code SELECT, MODIFY ON KEYSPACE trips}. */
final class GrantText {
    private static final Pattern FORM = Pattern.compile("(?i)([a-z_, ]+?)\\s+ON\\s+(.+)");
    private static final String NAME = "[a-z][a-z0-9_]{0,47}";
    private static final Pattern TABLE = Pattern.compile("(?i:TABLE\\s+)?(" + NAME + ")\\.(" + NAME + ")");
    private static final Pattern KEYSPACE = Pattern.compile("(?i:KEYSPACE)\\s+(" + NAME + ")");
    private static final Pattern ROLE = Pattern.compile("(?i:ROLE)\\s+(" + NAME + ")");

    private static final Set<RolePermission> ON_TABLE =
            Set.of(ALL, ALTER, DROP, SELECT, MODIFY, AUTHORIZE, UNMASK, SELECT_MASKED);
    private static final Set<RolePermission> ON_KEYSPACE =
            Set.of(ALL, CREATE, ALTER, DROP, SELECT, MODIFY, AUTHORIZE, UNMASK, SELECT_MASKED);
    private static final Set<RolePermission> ON_ROLE = Set.of(ALL, ALTER, DROP, AUTHORIZE);
    private static final Set<RolePermission> ON_ROLES = Set.of(ALL, CREATE, ALTER, DROP, AUTHORIZE, DESCRIBE);

    private GrantText() {}

    /** Empty unless the text is a permission that its resource can have. */
    static Optional<RoleGrant> parse(String text) {
        Matcher form = FORM.matcher(text.strip());
        if (!form.matches()) {
            return Optional.empty();
        }
        Optional<String> resource = resource(form.group(2).strip());
        List<RolePermission> permissions = permissions(form.group(1));
        return resource.filter(r -> !permissions.isEmpty() && on(r).containsAll(permissions))
                .map(r -> new RoleGrant(permissions, r));
    }

    private static Optional<String> resource(String text) {
        String words = text.toUpperCase(Locale.ROOT).replaceAll("\\s+", " ");
        if (words.equals("ALL KEYSPACES")) {
            return Optional.of("data");
        }
        if (words.equals("ALL ROLES")) {
            return Optional.of("roles");
        }
        Matcher table = TABLE.matcher(text);
        if (table.matches()) {
            return Optional.of("data/" + table.group(1) + "/" + table.group(2));
        }
        Matcher keyspace = KEYSPACE.matcher(text);
        if (keyspace.matches()) {
            return Optional.of("data/" + keyspace.group(1));
        }
        Matcher role = ROLE.matcher(text);
        return role.matches() ? Optional.of("roles/" + role.group(1)) : Optional.empty();
    }

    /** Empty if one of them is unknown. */
    private static List<RolePermission> permissions(String text) {
        List<RolePermission> permissions = new ArrayList<>();
        for (String word : text.split(",", -1)) {
            String name = word.strip().toUpperCase(Locale.ROOT).replaceFirst("^ALL PERMISSIONS$", "ALL");
            Optional<RolePermission> known = List.of(RolePermission.values()).stream()
                    .filter(p -> p.name().equals(name))
                    .findFirst();
            if (known.isEmpty()) {
                return List.of();
            }
            permissions.add(known.get());
        }
        return permissions;
    }

    private static Set<RolePermission> on(String resource) {
        int depth = resource.split("/", -1).length;
        if (resource.startsWith("data")) {
            return depth == 3 ? ON_TABLE : ON_KEYSPACE;
        }
        return depth == 1 ? ON_ROLES : ON_ROLE;
    }
}
