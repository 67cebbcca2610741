package io.ringmaster.cli.session;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Gives commands their session: the root command, which has the inherited options. */
public interface SessionSource {
    Session session();

    /** The file of {@code --token-file}; null without the option. */
    @Nullable
    Path tokenFile();

    /** A session with these options instead of the root's; null for an absent option. */
    Session session(@Nullable String server, @Nullable Path tokenFile);
}
