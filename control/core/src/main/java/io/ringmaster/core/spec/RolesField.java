package io.ringmaster.core.spec;

import static io.ringmaster.core.spec.SpecField.CASSANDRA_YAML;
import static io.ringmaster.core.spec.SpecField.ROLES;
import static io.ringmaster.core.spec.SpecField.ROLE_GRANTS;
import static io.ringmaster.core.spec.SpecField.ROLE_LOGIN;
import static io.ringmaster.core.spec.SpecField.ROLE_MEMBER_OF;
import static io.ringmaster.core.spec.SpecField.ROLE_PASSWORD;
import static io.ringmaster.core.spec.SpecField.ROLE_SUPERUSER;

import io.ringmaster.model.name.RoleName;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.PasswordSource;
import io.ringmaster.model.spec.RenamedParameters;
import io.ringmaster.model.spec.RoleGrant;
import io.ringmaster.model.spec.RoleSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/**
 * Reads the roles of a spec. They turn login on by parameters of cassandra.yaml, which are stored with the others: a
 * server or executor of an earlier release, which does not know roles, must not start a node that lets everybody in.
 */
final class RolesField {
    private static final String CLASS = "class_name";

    /** What turns login on. */
    private static final Map<String, Object> LOGIN = Map.of(
            "authenticator", Map.of(CLASS, "PasswordAuthenticator"),
            "authorizer", Map.of(CLASS, "CassandraAuthorizer"),
            "role_manager", Map.of(CLASS, "io.ringmaster.companion.access.DeclaredRoleManager"));

    /** Parameters that decide who is let in and at which consistency roles are kept. */
    private static final List<String> OWNED = List.of(
            "authenticator",
            "authorizer",
            "role_manager",
            "network_authorizer",
            "cidr_authorizer",
            "auth_read_consistency_level",
            "auth_write_consistency_level");

    /** The prefix of the logins that Ringmaster makes for a time. */
    private static final String TEMPORARY = "rm_";

    private final FieldReader reader;
    private final PasswordField passwords;

    RolesField(FieldReader reader) {
        this.reader = reader;
        this.passwords = new PasswordField(reader);
    }

    /** Null where the spec has none. */
    @Nullable
    List<RoleSpec> read(@Nullable Node node) {
        if (node == null || isOff(node)) {
            return null;
        }
        if (FieldReader.isNull(node)) {
            reader.refuse(ROLES.path, node, "is empty, allowed: " + ROLES.form, "write roles: {} for none");
            return null;
        }
        Map<String, Node> entries = reader.mapping(node, ROLES.path, ROLES.form);
        List<RoleSpec> roles = new ArrayList<>();
        entries.forEach((key, value) -> role(key, value, entries).ifPresent(roles::add));
        if (reader.problems().isEmpty()) {
            cycle(roles).ifPresent(c -> reader.refuse(ROLES.path, node, "is a circle of members: " + c));
        }
        return roles;
    }

    private static boolean isOff(Node node) {
        return node instanceof ScalarNode text && text.getValue().equals("off");
    }

    private Optional<RoleSpec> role(String key, Node node, Map<String, Node> all) {
        String path = FieldReader.join(ROLES.path, key);
        boolean named = RoleName.isName(key);
        if (!named) {
            reader.refuse(
                    path, node, "'" + key + "' is not a role name, allowed: a-z, 0-9 and _, starting with a letter");
        } else if (key.equals("cassandra") || key.startsWith(TEMPORARY)) {
            reader.refuse(
                    path,
                    node,
                    key.startsWith(TEMPORARY)
                            ? "starts with " + TEMPORARY + ", as the logins do that Ringmaster makes for a time"
                            : "is Cassandra's default superuser, whose name everybody knows",
                    "choose another name");
        }
        Map<SpecField, Node> fields = reader.fields(node, path, "roles.*");
        boolean login = truth(fields.get(ROLE_LOGIN), path + ".login");
        boolean superuser = truth(fields.get(ROLE_SUPERUSER), path + ".superuser");
        Node source = fields.get(ROLE_PASSWORD);
        Optional<PasswordSource> password =
                source == null ? Optional.empty() : passwords.read(source, path + ".password");
        if (login != (source != null)) {
            reader.refuse(
                    path + ".password",
                    node,
                    login ? "is missing, required where login is true" : "needs login: true",
                    login
                            ? "add password: generated, {file: NAME}, {env: NAME} or {secret: NAME/KEY}"
                            : "add it, or leave password out");
        }
        List<RoleName> memberOf = memberOf(fields.get(ROLE_MEMBER_OF), path + ".member_of", all);
        List<RoleGrant> grants = grants(fields.get(ROLE_GRANTS), path + ".grants");
        return named
                ? Optional.of(
                        new RoleSpec(new RoleName(key), login, superuser, password.orElse(null), memberOf, grants))
                : Optional.empty();
    }

    private boolean truth(@Nullable Node node, String path) {
        return reader.text(
                        node,
                        path,
                        ROLE_LOGIN.form,
                        text -> text.equals("true") || text.equals("false")
                                ? Optional.of(text.equals("true"))
                                : Optional.empty())
                .orElse(false);
    }

    private List<RoleName> memberOf(@Nullable Node node, String path, Map<String, Node> all) {
        List<RoleName> names = new ArrayList<>();
        for (Node item : reader.list(node, path, ROLE_MEMBER_OF.form)) {
            reader.text(
                            item,
                            path,
                            ROLE_MEMBER_OF.form,
                            text -> all.containsKey(text) && RoleName.isName(text)
                                    ? Optional.of(new RoleName(text))
                                    : Optional.empty())
                    .filter(name -> !names.contains(name))
                    .ifPresent(names::add);
        }
        return names;
    }

    private List<RoleGrant> grants(@Nullable Node node, String path) {
        List<RoleGrant> grants = new ArrayList<>();
        for (Node item : reader.list(node, path, ROLE_GRANTS.form)) {
            reader.text(item, path, ROLE_GRANTS.form, GrantText::parse).ifPresent(grants::add);
        }
        return grants;
    }

    /** Cassandra refuses roles that are members of each other. */
    private static Optional<String> cycle(List<RoleSpec> roles) {
        Map<RoleName, List<RoleName>> groups = new TreeMap<>();
        roles.forEach(r -> groups.put(r.name(), r.memberOf()));
        return groups.keySet().stream()
                .filter(name -> reaches(name, name, groups, new ArrayList<>()))
                .map(RoleName::value)
                .findFirst();
    }

    private static boolean reaches(
            RoleName from, RoleName to, Map<RoleName, List<RoleName>> groups, List<RoleName> seen) {
        for (RoleName group : groups.getOrDefault(from, List.of())) {
            boolean isNew = !seen.contains(group);
            if (isNew) {
                seen.add(group);
            }
            if (group.equals(to) || (isNew && reaches(group, to, groups, seen))) {
                return true;
            }
        }
        return false;
    }

    /** The parameters of cassandra.yaml, with those of a cluster with logins if the spec has roles. */
    Map<String, Object> addTo(Map<String, Object> parameters, @Nullable Node roles) {
        if (roles == null || isOff(roles)) {
            return parameters;
        }
        OWNED.stream()
                .filter(parameters::containsKey)
                .forEach(name -> reader.refuse(
                        FieldReader.join(CASSANDRA_YAML.path, name),
                        roles,
                        "conflicts with " + ROLES.path + ", which sets it",
                        "keep one of them"));
        Map<String, Object> all = new LinkedHashMap<>(parameters);
        new TreeMap<>(LOGIN).forEach(all::put);
        Set<String> replaced = RenamedParameters.replacedBy(parameters.keySet());
        LoginCaches.DEFAULTS.forEach((name, value) -> {
            if (!replaced.contains(name)) {
                all.putIfAbsent(name, value);
            }
        });
        return all;
    }

    /** The parameters without those that reading the spec adds again. */
    static Map<String, Object> removeFrom(Map<String, Object> parameters) {
        Map<String, Object> others = new LinkedHashMap<>(parameters);
        others.keySet().removeAll(LOGIN.keySet());
        others.entrySet().removeAll(LoginCaches.DEFAULTS.entrySet());
        return others;
    }

    /** As the spec has them. */
    static Map<String, Object> write(List<RoleSpec> roles) {
        Map<String, Object> all = new LinkedHashMap<>();
        roles.forEach(role -> all.put(role.name().value(), write(role)));
        return all;
    }

    private static Map<String, Object> write(RoleSpec role) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put(ROLE_LOGIN.key(), role.login());
        fields.put(ROLE_SUPERUSER.key(), role.superuser());
        PasswordSource password = role.password();
        if (password != null) {
            fields.put(
                    ROLE_PASSWORD.key(),
                    password.name() == null
                            ? password.text()
                            : Map.of(password.kind().label(), password.name()));
        }
        // two empty lists would be one object, which YAML writes as a reference
        if (!role.memberOf().isEmpty()) {
            fields.put(
                    ROLE_MEMBER_OF.key(),
                    role.memberOf().stream().map(RoleName::value).toList());
        }
        if (!role.grants().isEmpty()) {
            fields.put(
                    ROLE_GRANTS.key(),
                    role.grants().stream().map(RoleGrant::text).toList());
        }
        return fields;
    }

    /** Each role of the spec in a line, for people. */
    static Map<String, Object> texts(ClusterSpec spec) {
        Map<String, Object> texts = new TreeMap<>();
        if (spec.roles() != null) {
            spec.roles().forEach(role -> texts.put(role.name().value(), role.text()));
        }
        return texts;
    }
}
