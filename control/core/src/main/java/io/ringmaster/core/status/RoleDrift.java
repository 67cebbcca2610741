package io.ringmaster.core.status;

import io.ringmaster.model.name.RoleName;
import io.ringmaster.model.node.RoleSeen;
import io.ringmaster.model.node.RoleSeen.GrantSeen;
import io.ringmaster.model.spec.RoleGrant;
import io.ringmaster.model.spec.RolePermission;
import io.ringmaster.model.spec.RoleSpec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Compares the roles of Cassandra with those of a spec. Roles, members and permissions that users added are no
 * difference, but for superusers.
 */
final class RoleDrift {
    private final List<RoleSpec> declared;
    private final Map<String, RoleSeen> seen;

    RoleDrift(List<RoleSpec> declared, List<RoleSeen> seen) {
        this.declared = declared;
        this.seen = seen.stream().collect(Collectors.toMap(RoleSeen::name, Function.identity(), (a, b) -> a));
    }

    /** What differs in declared roles, for people: {@code app cannot log in}. */
    List<String> differences() {
        List<String> differences = new ArrayList<>();
        for (RoleSpec role : declared) {
            RoleSeen found = seen.get(role.name().value());
            if (found == null) {
                differences.add(role.name() + " is not there");
            } else {
                compare(role, found).forEach(what -> differences.add(role.name() + " " + what));
            }
        }
        return differences;
    }

    private static List<String> compare(RoleSpec role, RoleSeen found) {
        List<String> differences = new ArrayList<>();
        if (role.login() != found.login()) {
            differences.add(role.login() ? "cannot log in" : "can log in");
        }
        if (role.superuser() != found.superuser() && !isMemberOfTemporaryLogin(found)) {
            differences.add(role.superuser() ? "is not a superuser" : "is a superuser");
        }
        if (role.password() != null && found.passwordChanged()) {
            differences.add("has another password");
        }
        role.memberOf().stream()
                .map(RoleName::value)
                .filter(group -> !found.memberOf().contains(group))
                .forEach(group -> differences.add("is not a member of " + group));
        role.grants().forEach(grant -> {
            List<RolePermission> missing = missing(grant, found);
            if (!missing.isEmpty()) {
                differences.add("lacks " + new RoleGrant(missing, grant.resource()).text());
            }
        });
        return differences;
    }

    /** Such a member is a superuser without being written as one, so that writing it again changes nothing. */
    private static boolean isMemberOfTemporaryLogin(RoleSeen role) {
        return role.memberOf().stream().anyMatch(group -> group.startsWith("rm_"));
    }

    private static List<RolePermission> missing(RoleGrant grant, RoleSeen found) {
        Set<String> held = found.grants().stream()
                .filter(g -> g.resource().equals(grant.resource()))
                .map(GrantSeen::permissions)
                .flatMap(List::stream)
                .collect(Collectors.toSet());
        return held.contains(RolePermission.ALL.name())
                ? List.of()
                : grant.permissions().stream()
                        .filter(p -> !held.contains(p.name()))
                        .toList();
    }

    /** Roles that are superusers, also as members of one, where the spec does not say so. */
    Set<String> undeclaredSuperusers() {
        Map<String, List<String>> groups = new TreeMap<>();
        Set<String> flagged = new HashSet<>();
        for (RoleSpec role : declared) {
            String name = role.name().value();
            groups.put(name, role.memberOf().stream().map(RoleName::value).toList());
            if (role.superuser()) {
                flagged.add(name);
            }
        }
        Map<String, List<String>> groupsSeen = new TreeMap<>();
        Set<String> flaggedSeen = new HashSet<>();
        for (RoleSeen role : seen.values()) {
            groupsSeen.put(role.name(), role.memberOf());
            if (role.superuser()) {
                flaggedSeen.add(role.name());
            }
        }
        Set<String> undeclared = new TreeSet<>(withMembers(flaggedSeen, groupsSeen));
        undeclared.removeAll(withMembers(flagged, groups));
        return undeclared;
    }

    private static Set<String> withMembers(Set<String> roles, Map<String, List<String>> groups) {
        Set<String> all = new HashSet<>(roles);
        List<String> members;
        do {
            members = groups.keySet().stream()
                    .filter(name ->
                            groups.getOrDefault(name, List.of()).stream().anyMatch(all::contains))
                    .toList();
        } while (all.addAll(members));
        return all;
    }
}
