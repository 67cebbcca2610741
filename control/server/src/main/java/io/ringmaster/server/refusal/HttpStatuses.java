package io.ringmaster.server.refusal;

import io.ringmaster.model.error.ErrorCode;
import java.util.Map;

/** The HTTP status of each error code. */
final class HttpStatuses {
    private static final Map<ErrorCode, Integer> OF = Map.ofEntries(
            Map.entry(ErrorCode.REQUEST_INVALID, 400),
            Map.entry(ErrorCode.SPEC_INVALID, 422),
            Map.entry(ErrorCode.SPEC_CHANGE_UNSUPPORTED, 422),
            Map.entry(ErrorCode.DATACENTER_UNKNOWN, 422),
            Map.entry(ErrorCode.CONFIGURATION_REJECTED, 422),
            Map.entry(ErrorCode.PLAN_UNSAFE, 422),
            Map.entry(ErrorCode.NO_MACHINE_FITS, 422),
            Map.entry(ErrorCode.CLUSTER_UNKNOWN, 404),
            Map.entry(ErrorCode.NODE_UNKNOWN, 404),
            Map.entry(ErrorCode.MACHINE_UNKNOWN, 404),
            Map.entry(ErrorCode.VOLUME_UNKNOWN, 404),
            Map.entry(ErrorCode.PLAN_UNKNOWN, 404),
            Map.entry(ErrorCode.STEP_UNKNOWN, 404),
            Map.entry(ErrorCode.LOCATION_UNKNOWN, 404),
            Map.entry(ErrorCode.BACKUP_UNKNOWN, 404),
            Map.entry(ErrorCode.BACKUP_STORE_FAILED, 502),
            Map.entry(ErrorCode.BACKUP_DAMAGED, 502),
            Map.entry(ErrorCode.OPERATION_UNKNOWN, 404),
            Map.entry(ErrorCode.OPERATION_UNSAFE, 422),
            Map.entry(ErrorCode.CLUSTER_EXISTS, 409),
            Map.entry(ErrorCode.CLUSTER_BUSY, 409),
            Map.entry(ErrorCode.PLAN_STATE, 409),
            Map.entry(ErrorCode.VERSION_CONFLICT, 412),
            Map.entry(ErrorCode.PLAN_CHANGED, 409),
            Map.entry(ErrorCode.UNAUTHORIZED, 401),
            Map.entry(ErrorCode.FORBIDDEN, 403),
            Map.entry(ErrorCode.TOKEN_UNKNOWN, 404),
            Map.entry(ErrorCode.HOST_UNKNOWN, 421),
            Map.entry(ErrorCode.ORIGIN_FOREIGN, 403),
            Map.entry(ErrorCode.PEER_UNREACHABLE, 503),
            Map.entry(ErrorCode.POOL_UNAVAILABLE, 503),
            Map.entry(ErrorCode.STORE_UNAVAILABLE, 503),
            Map.entry(ErrorCode.NOT_LEADER, 503),
            Map.entry(ErrorCode.MACHINE_LOST, 503),
            Map.entry(ErrorCode.VOLUME_AGING, 503),
            Map.entry(ErrorCode.VOLUME_EXPIRING, 503),
            Map.entry(ErrorCode.CERTIFICATE_MISSING, 503),
            Map.entry(ErrorCode.CERTIFICATE_EXPIRING, 503),
            Map.entry(ErrorCode.CERTIFICATE_REJECTED, 503),
            Map.entry(ErrorCode.VOLUME_OUTDATED, 503),
            Map.entry(ErrorCode.VOLUME_READ_ONLY, 503),
            Map.entry(ErrorCode.SEEDS_UNKNOWN, 503),
            Map.entry(ErrorCode.DISK_FILLING, 507),
            Map.entry(ErrorCode.DISK_NEARLY_FULL, 507),
            Map.entry(ErrorCode.DISK_FULL, 507),
            Map.entry(ErrorCode.BINARIES_UNAVAILABLE, 503),
            Map.entry(ErrorCode.EXECUTOR_FAILED, 502),
            Map.entry(ErrorCode.DAEMON_FAILED, 502),
            Map.entry(ErrorCode.TASK_FAILED, 502),
            Map.entry(ErrorCode.INTERNAL, 500));

    private HttpStatuses() {}

    static int of(ErrorCode code) {
        return OF.getOrDefault(code, 500);
    }
}
