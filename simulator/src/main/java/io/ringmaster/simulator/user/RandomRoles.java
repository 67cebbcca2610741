package io.ringmaster.simulator.user;

import io.ringmaster.core.spec.ClusterSpecs;
import io.ringmaster.core.spec.ParsedSpec;
import io.ringmaster.core.spec.SpecText;
import io.ringmaster.model.name.RoleName;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.PasswordSource;
import io.ringmaster.model.spec.RoleGrant;
import io.ringmaster.model.spec.RolePermission;
import io.ringmaster.model.spec.RoleSpec;
import io.ringmaster.simulator.history.SeededRandom;
import java.util.ArrayList;
import java.util.List;

/** The roles that specs declare. */
final class RandomRoles {
    private static final RoleName READERS = new RoleName("readers");

    private RandomRoles() {}

    /** The spec of a cluster whose clients log in, with other roles than before if it had some. */
    static ClusterSpec withRoles(ClusterSpec spec, SeededRandom random) {
        ClusterSpec with = spec.withRoles(roles(random));
        // the roles add parameters of cassandra.yaml, as the server reads them
        if (ClusterSpecs.parseStored(SpecText.write(with)) instanceof ParsedSpec.Valid valid) {
            return valid.spec();
        }
        throw new IllegalStateException("the simulator wrote an invalid spec: " + with);
    }

    private static List<RoleSpec> roles(SeededRandom random) {
        List<RoleSpec> roles = new ArrayList<>();
        boolean readers = random.chance(0.6);
        if (readers) {
            roles.add(new RoleSpec(READERS, false, false, null, List.of(), grants(random, RolePermission.SELECT)));
        }
        if (random.chance(0.8)) {
            List<RoleName> memberOf = readers && random.chance(0.5) ? List.of(READERS) : List.of();
            roles.add(login("app", random.chance(0.2), memberOf, grants(random, RolePermission.MODIFY)));
        }
        if (random.chance(0.4)) {
            roles.add(login("ops", true, List.of(), List.of()));
        }
        return roles;
    }

    private static RoleSpec login(String name, boolean superuser, List<RoleName> memberOf, List<RoleGrant> grants) {
        PasswordSource password = new PasswordSource(PasswordSource.Kind.FILE, name);
        return new RoleSpec(new RoleName(name), true, superuser, password, memberOf, grants);
    }

    private static List<RoleGrant> grants(SeededRandom random, RolePermission permission) {
        List<RoleGrant> grants = new ArrayList<>();
        if (random.chance(0.6)) {
            grants.add(new RoleGrant(List.of(permission), "data/trips"));
        }
        if (random.chance(0.3)) {
            grants.add(new RoleGrant(List.of(permission), "data"));
        }
        return grants;
    }
}
