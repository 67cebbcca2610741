package io.ringmaster.companion.access;

import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.apache.cassandra.auth.Permission;

/**
 * How the groups and permissions of a role differ from what was written. What users granted themselves does not count.
 *
 * @param missing what the spec gives and the role lacks
 * @param kept what the spec took back and the role still has
 */
record Difference(Set<String> missing, Set<String> kept) {

    /**
     * @param groups those that the role is a member of
     * @param granted what the role may do with the resource of a grant
     */
    static Difference of(DeclaredRole role, Set<String> groups, Function<DeclaredGrant, Set<Permission>> granted) {
        Set<String> missing = new TreeSet<>(role.memberOf());
        missing.removeAll(groups);
        for (DeclaredGrant grant : role.grants()) {
            if (!granted.apply(grant).containsAll(grant.permissions())) {
                missing.add(grant.permissions() + " on " + grant.resource());
            }
        }
        Set<String> kept = new TreeSet<>(role.leaves());
        kept.retainAll(groups);
        for (DeclaredGrant revoked : role.revokes()) {
            Set<Permission> left = new HashSet<>(granted.apply(revoked));
            left.retainAll(revoked.permissions());
            role.grants().stream()
                    .filter(g -> g.resource().equals(revoked.resource()))
                    .forEach(g -> left.removeAll(g.permissions()));
            if (!left.isEmpty()) {
                kept.add(left + " on " + revoked.resource());
            }
        }
        return new Difference(missing, kept);
    }

    boolean isEmpty() {
        return missing.isEmpty() && kept.isEmpty();
    }

    @Override
    public String toString() {
        return (missing.isEmpty() ? "" : "without " + missing)
                + (missing.isEmpty() || kept.isEmpty() ? "" : " and ")
                + (kept.isEmpty() ? "" : "with " + kept + ", which was taken back");
    }
}
