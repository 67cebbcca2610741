package io.ringmaster.cli.session;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Where commands get their session from: the root of the command line, which has the options common to all. */
public interface SessionSource {
    Session session();

    /** One with these options instead of the root's own; null for what is not given. */
    Session session(@Nullable String server, @Nullable Path tokenFile);
}
