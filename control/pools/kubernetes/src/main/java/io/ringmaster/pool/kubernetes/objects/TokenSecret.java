package io.ringmaster.pool.kubernetes.objects;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;

/** The token by which the server and the executor of an allocation know each other. */
public final class TokenSecret {
    static final String KEY = "token";
    private static final SecureRandom RANDOM = new SecureRandom();

    private TokenSecret() {}

    /** With a new token. */
    public static Secret secret(PersistentVolumeClaim claim) {
        byte[] token = new byte[32];
        RANDOM.nextBytes(token);
        return new SecretBuilder()
                .withNewMetadata()
                .withName(claim.getMetadata().getName())
                .withNamespace(claim.getMetadata().getNamespace())
                .withLabels(claim.getMetadata().getLabels())
                .withOwnerReferences(ClaimTemplate.owner(claim))
                .endMetadata()
                .withType("Opaque")
                .withImmutable(true)
                .addToStringData(KEY, HexFormat.of().formatHex(token))
                .build();
    }

    /** Whether the secret was made for this claim, and not for a former one of the same name. */
    public static boolean belongsTo(Secret secret, PersistentVolumeClaim claim) {
        return secret.getMetadata().getOwnerReferences().stream()
                .anyMatch(o -> o.getUid().equals(claim.getMetadata().getUid()));
    }

    public static Optional<String> token(Secret secret) {
        return Optional.ofNullable(secret.getData())
                .map(data -> data.get(KEY))
                .map(text -> new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8).strip());
    }
}
