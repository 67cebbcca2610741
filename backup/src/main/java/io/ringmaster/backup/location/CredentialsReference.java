package io.ringmaster.backup.location;

import io.ringmaster.model.access.Secret;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Where credentials are found. They are read at each use, so that changed ones count at once. */
public sealed interface CredentialsReference {
    /** Completes "must be ..." in an error. */
    String FORM = "file:NAME (a file beside this one), env:PREFIX (PREFIX_ACCESS_KEY_ID, PREFIX_SECRET_ACCESS_KEY), "
            + "or machine (what the machine provides)";

    /** Empty for {@link Machine}. */
    Optional<AccessKey> read() throws LocationException;

    /**
     * @param directory of the location, which no reference leaves
     * @throws IllegalArgumentException if the text is no reference
     */
    static CredentialsReference parse(String text, Path directory) {
        if (text.startsWith("file:")) {
            return new KeyFile(LocationFiles.beside(directory, text.substring("file:".length())));
        }
        if (text.startsWith("env:")) {
            return new Environment(text.substring("env:".length()));
        }
        if (text.equals("machine")) {
            return new Machine();
        }
        throw new IllegalArgumentException("must be " + FORM);
    }

    /** A YAML file with {@code access_key_id}, {@code secret_access_key} and, perhaps, {@code session_token}. */
    record KeyFile(Path file) implements CredentialsReference {
        @Override
        public Optional<AccessKey> read() throws LocationException {
            Map<String, String> fields = LocationFiles.fields(file, LocationFiles.privateText(file));
            LocationFiles.refuseOthers(file, fields, "access_key_id", "secret_access_key", "session_token");
            return Optional.of(CredentialsReference.accessKey(fields::get, file + ": ", Function.identity()));
        }
    }

    /** {@code PREFIX_ACCESS_KEY_ID}, {@code PREFIX_SECRET_ACCESS_KEY} and, perhaps, {@code PREFIX_SESSION_TOKEN}. */
    record Environment(String prefix) implements CredentialsReference {
        private static final Pattern PREFIX = Pattern.compile("[A-Z][A-Z0-9_]{0,63}");

        public Environment {
            if (!PREFIX.matcher(prefix).matches()) {
                throw new IllegalArgumentException("PREFIX must match " + PREFIX);
            }
        }

        @Override
        public Optional<AccessKey> read() throws LocationException {
            return Optional.of(CredentialsReference.accessKey(
                    name -> System.getenv(variable(name)), "environment of this process: ", this::variable));
        }

        private String variable(String name) {
            return prefix + "_" + name.toUpperCase(Locale.ROOT);
        }
    }

    /** The role of the machine or the pod, or the AWS configuration of this user. */
    record Machine() implements CredentialsReference {
        @Override
        public Optional<AccessKey> read() {
            return Optional.empty();
        }
    }

    private static AccessKey accessKey(
            Function<String, @Nullable String> values, String place, Function<String, String> title)
            throws LocationException {
        String id = values.apply("access_key_id");
        String secret = values.apply("secret_access_key");
        String token = values.apply("session_token");
        if (id == null || id.isBlank()) {
            throw new LocationException(place + title.apply("access_key_id") + ": missing");
        }
        if (secret == null || secret.isBlank()) {
            throw new LocationException(place + title.apply("secret_access_key") + ": missing");
        }
        return new AccessKey(id, new Secret(secret), token == null ? null : new Secret(token));
    }
}
