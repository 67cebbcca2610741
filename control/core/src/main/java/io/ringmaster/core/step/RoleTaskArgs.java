package io.ringmaster.core.step;

import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.RoleName;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.DatacenterSpec;
import io.ringmaster.model.spec.PasswordSource;
import io.ringmaster.model.spec.RoleGrant;
import io.ringmaster.model.spec.RoleSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a task that writes roles. They name passwords by where the server finds them. What an earlier spec
 * declared and this one does not is taken back; what users granted themselves stays.
 */
public final class RoleTaskArgs {
    /** The argument with the number of nodes by datacenter, to which the replicas of roles are brought. */
    static final String NODES = "nodes";

    private RoleTaskArgs() {}

    /** Only the replication of roles in some datacenters. */
    public static Map<String, String> replication(Stream<DatacenterSpec> datacenters) {
        return Map.of(NODES, datacenters.map(d -> d.name() + ":" + d.nodes()).collect(Collectors.joining(",")));
    }

    /** The replication in some datacenters, and all roles. */
    public static Map<String, String> of(
            ClusterSpec spec, Collection<ClusterSpec> former, Set<DatacenterName> datacenters) {
        Map<String, String> args =
                new TreeMap<>(replication(spec.datacenters().stream().filter(d -> datacenters.contains(d.name()))));
        args.putAll(roles(spec, former));
        return args;
    }

    /** All roles as the spec declares them; what users granted themselves, and the replication, stay. */
    public static Map<String, String> again(ClusterSpec spec) {
        return roles(spec, List.of());
    }

    private static Map<String, String> roles(ClusterSpec spec, Collection<ClusterSpec> former) {
        Map<String, String> args = new TreeMap<>();
        List<RoleSpec> roles = roles(spec);
        List<RoleSpec> before = former.stream().flatMap(s -> roles(s).stream()).toList();
        for (RoleSpec role : roles) {
            add(
                    args,
                    role,
                    before.stream().filter(b -> b.name().equals(role.name())).toList());
        }
        Set<RoleName> dropped =
                before.stream().map(RoleSpec::name).collect(Collectors.toCollection(LinkedHashSet::new));
        roles.forEach(role -> dropped.remove(role.name()));
        put(args, "drop", dropped.stream().map(RoleName::value));
        return args;
    }

    private static void add(Map<String, String> args, RoleSpec role, List<RoleSpec> before) {
        String name = role.name().value();
        List<String> attributes = new ArrayList<>();
        if (role.login()) {
            attributes.add("login");
        }
        if (role.superuser()) {
            attributes.add("superuser");
        }
        args.put("role." + name, String.join(",", attributes));
        PasswordSource password = role.password();
        if (password != null) {
            args.put(NodeTask.PASSWORD + name, password.text());
        }
        put(args, "member_of." + name, role.memberOf().stream().map(RoleName::value));
        put(
                args,
                "leave." + name,
                before.stream()
                        .flatMap(b -> b.memberOf().stream())
                        .filter(g -> !role.memberOf().contains(g))
                        .map(RoleName::value));
        put(args, "grant." + name, role.grants().stream().map(RoleGrant::argument));
        put(
                args,
                "revoke." + name,
                before.stream()
                        .flatMap(b -> b.grants().stream())
                        .filter(g -> !role.grants().contains(g))
                        .map(RoleGrant::argument));
    }

    private static void put(Map<String, String> args, String key, Stream<String> values) {
        String text = values.distinct().collect(Collectors.joining(","));
        if (!text.isEmpty()) {
            args.put(key, text);
        }
    }

    private static List<RoleSpec> roles(ClusterSpec spec) {
        @Nullable List<RoleSpec> roles = spec.roles();
        return Objects.requireNonNullElse(roles, List.of());
    }
}
