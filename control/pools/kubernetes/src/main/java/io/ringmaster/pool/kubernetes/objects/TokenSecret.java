package io.ringmaster.pool.kubernetes.objects;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.ringmaster.ports.DoorFiles;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/** The token by which the server and the executor of an allocation know each other, and the executor's door. */
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
                .addToStringData(KEY, HexFormat.of().formatHex(token))
                .build();
    }

    /** Another secret in the place of one that earlier versions made, and that cannot be changed. */
    public static Secret changeable(Secret immutable, PersistentVolumeClaim claim) {
        return new SecretBuilder(secret(claim))
                .withStringData(null)
                .withData(immutable.getData())
                .build();
    }

    /** The change that lays a door down. */
    public static Map<String, Object> withDoor(DoorFiles door) {
        return Map.of("stringData", Map.of(DoorFiles.DOOR, door.identity(), DoorFiles.SERVERS, door.servers()));
    }

    /** Empty if its executor has none. */
    public static Optional<DoorFiles> door(Secret secret) {
        return text(secret, DoorFiles.DOOR)
                .flatMap(identity -> text(secret, DoorFiles.SERVERS).map(servers -> new DoorFiles(identity, servers)));
    }

    /** Whether the secret was made for this claim, and not for a former one of the same name. */
    public static boolean belongsTo(Secret secret, PersistentVolumeClaim claim) {
        return secret.getMetadata().getOwnerReferences().stream()
                .anyMatch(o -> o.getUid().equals(claim.getMetadata().getUid()));
    }

    public static Optional<String> token(Secret secret) {
        return text(secret, KEY).map(String::strip);
    }

    private static Optional<String> text(Secret secret, String key) {
        return Optional.ofNullable(secret.getData())
                .map(data -> data.get(key))
                .map(text -> new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8));
    }
}
