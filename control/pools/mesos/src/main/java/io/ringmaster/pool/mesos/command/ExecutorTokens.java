package io.ringmaster.pool.mesos.command;

import io.ringmaster.model.name.AllocationId;
import io.ringmaster.ports.PoolRecords;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The bearer tokens of executors. They follow from one key in the store, so that only the key is kept. */
public final class ExecutorTokens {
    private static final String RECORD = "mesos.token-key";
    private static final String ALGORITHM = "HmacSHA256";
    private static final int KEY_BYTES = 32;

    private final byte[] key;

    public ExecutorTokens(PoolRecords records) {
        key = records.get(RECORD).orElseGet(() -> {
            byte[] made = new byte[KEY_BYTES];
            new SecureRandom().nextBytes(made);
            records.put(RECORD, made);
            return made;
        });
    }

    public String token(AllocationId id) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            return HexFormat.of().formatHex(mac.doFinal(id.value().getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + ALGORITHM, e);
        }
    }
}
