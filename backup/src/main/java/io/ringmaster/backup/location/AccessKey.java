package io.ringmaster.backup.location;

import io.ringmaster.model.access.Secret;
import org.jspecify.annotations.Nullable;

/**
 * Credentials of S3.
 *
 * @param id of the key, which is no secret
 * @param sessionToken of temporary credentials
 */
public record AccessKey(String id, Secret secret, @Nullable Secret sessionToken) {}
