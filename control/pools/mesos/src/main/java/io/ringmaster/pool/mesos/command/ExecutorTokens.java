package io.ringmaster.pool.mesos.command;

import io.ringmaster.model.name.AllocationId;
import io.ringmaster.pool.mesos.config.MesosPoolSettings;
import io.ringmaster.ports.PoolRecords;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The bearer tokens of executors: one of all, in a file that is on the agents too, or one for each. Those follow from
 * one key in the store, so that only the key is kept, and an executor gets its token with its task.
 */
public final class ExecutorTokens {
    private static final String RECORD = "mesos.token-key";
    private static final String ALGORITHM = "HmacSHA256";
    private static final int KEY_BYTES = 32;

    private final byte[] key;
    private final @Nullable String shared;

    /**
     * @param file the file of the token of all executors; null for one each
     * @throws IOException the file holds no token; the message says so
     */
    public ExecutorTokens(PoolRecords records, @Nullable String file) throws IOException {
        shared = file == null ? null : read(Path.of(file));
        key = records.get(RECORD).orElseGet(() -> {
            byte[] made = new byte[KEY_BYTES];
            new SecureRandom().nextBytes(made);
            records.put(RECORD, made);
            return made;
        });
    }

    private static String read(Path file) throws IOException {
        String name = MesosPoolSettings.SECTION + ".executor_token_file: " + file;
        try {
            String token = Files.readString(file).strip();
            if (token.matches("[A-Za-z0-9._~+/=-]+")) {
                return token;
            }
        } catch (IOException e) {
            throw new IOException(name + " cannot be read -> write a token into it, here and on every agent", e);
        }
        throw new IOException(name + " must hold one word of letters, digits and ._~+/=-");
    }

    /** What a task must bring to its executor; empty if that finds it on its agent. */
    Optional<String> ofTask(AllocationId id) {
        return shared == null ? Optional.of(token(id)) : Optional.empty();
    }

    public String token(AllocationId id) {
        if (shared != null) {
            return shared;
        }
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            return HexFormat.of().formatHex(mac.doFinal(id.value().getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + ALGORITHM, e);
        }
    }
}
