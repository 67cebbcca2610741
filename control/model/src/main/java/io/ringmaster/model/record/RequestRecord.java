package io.ringmaster.model.record;

import io.ringmaster.model.name.RequestId;
import io.ringmaster.model.request.Request;
import io.ringmaster.model.request.RequestPart;

/** A request, and how far it is in this datacenter. */
public record RequestRecord(Request request, RequestPart part) implements StoredRecord {
    public static String key(RequestId id) {
        return "requests/" + id;
    }

    @Override
    public String key() {
        return key(request.id());
    }
}
