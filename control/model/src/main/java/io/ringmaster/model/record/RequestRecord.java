package io.ringmaster.model.record;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.request.Request;
import io.ringmaster.model.request.RequestPart;

/** A request, and how far it is in this datacenter. */
public record RequestRecord(Request request, RequestPart part) implements StoredRecord {

    @Override
    public RecordKey key() {
        return new RecordKey.OfRequest(request.id());
    }

    @Override
    public ClusterName cluster() {
        return request.cluster();
    }

    @Override
    public void accept(Handler handler) {
        handler.request(this);
    }
}
