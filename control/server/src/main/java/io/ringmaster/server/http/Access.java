package io.ringmaster.server.http;

import io.javalin.security.RouteRole;
import io.ringmaster.model.access.Role;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Who may call a route, for which clusters, and which server answers it. The same is {@code x-ringmaster-access} in
 * {@code api/openapi.yaml}.
 *
 * @param sessions whether the session of a page suffices, too; otherwise the request needs the token itself
 */
public record Access(Who who, Extent extent, Answers answers, boolean sessions) implements RouteRole {
    /** The least that a caller must be. */
    public enum Who {
        ANYONE(null),
        VIEWER(Role.VIEWER),
        OPERATOR(Role.OPERATOR),
        ADMIN(Role.ADMIN),
        /** A server of the fleet. */
        PEER(Role.ADMIN);

        private final @Nullable Role role;

        Who(@Nullable Role role) {
            this.role = role;
        }

        /** The least role; null where none is needed. */
        @Nullable
        Role role() {
            return role;
        }
    }

    /** What the role must extend to. */
    public enum Extent {
        /** The cluster in the path or, without one there, those parts of the answer that the caller may see. */
        CLUSTER,
        /** All clusters. */
        FLEET
    }

    /** The server that answers. */
    public enum Answers {
        SELF,
        LEADER,
        /** A standby when the leader does not answer. */
        LEADER_OR_STANDBY
    }

    /** Answered by the server that is asked. */
    static Access self(Who who, Extent extent) {
        return new Access(who, extent, Answers.SELF, true);
    }

    /** Answered by the leader, or by a standby when the leader does not answer. */
    static Access read(Who who, Extent extent) {
        return new Access(who, extent, Answers.LEADER_OR_STANDBY, true);
    }

    /** Answered only by the leader. */
    static Access change(Who who, Extent extent) {
        return new Access(who, extent, Answers.LEADER, true);
    }

    /** The same for callers with the token itself, not a session. */
    Access withoutSessions() {
        return new Access(who, extent, answers, false);
    }

    /** The access of a matched route; null for a file of the page. */
    static @Nullable Access of(Set<? extends RouteRole> roles) {
        for (RouteRole role : roles) {
            if (role instanceof Access access) {
                return access;
            }
        }
        return null;
    }

    /** As in {@code x-ringmaster-access}, such as {@code operator of the cluster}. */
    public String text() {
        String extentText = extent == Extent.FLEET ? "of the fleet" : "of the cluster";
        return Stream.of(
                        who.name().toLowerCase(Locale.ROOT),
                        who.role() == null || who == Who.PEER ? "" : extentText,
                        sessions || who == Who.PEER ? "" : "by token")
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(" "));
    }
}
