package io.ringmaster.cli.session;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Gives commands their session: the root command, which has the inherited options. */
public interface SessionSource {
    Session session();

    /** A session with these options instead of the root's; null for an absent option. */
    Session session(@Nullable String server, @Nullable Path tokenFile);
}
