package io.ringmaster.model.access;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.Name;
import java.util.regex.Pattern;

/** The clusters that a role extends to: a cluster name in which each {@code *} stands for any characters. */
public record ClusterPattern(String value) implements Name {
    private static final Pattern ALLOWED = Pattern.compile("[a-z*][a-z0-9*-]{0,47}");

    /** All clusters, and what belongs to no cluster: machines, datacenters, the audit. */
    public static final ClusterPattern ALL = new ClusterPattern("*");

    public ClusterPattern {
        Name.check("cluster pattern", value, ALLOWED);
    }

    /** In time linear in both for each {@code *}, unlike a regular expression with several. */
    public boolean matches(ClusterName cluster) {
        String name = cluster.value();
        int at = 0;
        int in = 0;
        int star = -1;
        int from = 0;
        while (in < name.length()) {
            if (at < value.length() && value.charAt(at) == '*') {
                star = at++;
                from = in;
            } else if (at < value.length() && value.charAt(at) == name.charAt(in)) {
                at++;
                in++;
            } else if (star >= 0) {
                at = star + 1;
                in = ++from;
            } else {
                return false;
            }
        }
        while (at < value.length() && value.charAt(at) == '*') {
            at++;
        }
        return at == value.length();
    }

    /** Whether it matches every cluster, so that its holder may also see what belongs to no cluster. */
    public boolean isAll() {
        return value.chars().allMatch(c -> c == '*');
    }

    @Override
    public String toString() {
        return value;
    }
}
