package io.ringmaster.json;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.module.SimpleModule;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.node.TlsStatus;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.KeptVolume;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.request.LockScope;
import io.ringmaster.model.request.Request;
import io.ringmaster.model.spec.TlsSpec;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields of older servers and executors by the names that those gave them. Their {@code address} of an
 * allocation and of a target is skipped, except for {@link FormerNodeReader}; their reports lack {@code hostId}. A
 * later executor may follow a target with TLS that is not known here: its other fields are read all the same.
 *
 * <p>In the other direction, an older server that reads the reports of this one expects a {@code storageEndpoint}.
 * While that is null, its check of the ring misses the node, and its seeds include null.
 */
final class FormerNamesModule extends SimpleModule {
    private static final long serialVersionUID = 1L;

    FormerNamesModule() {
        setMixInAnnotation(NodeRecord.class, FormerNode.class);
        setMixInAnnotation(ClusterRecord.class, FormerCluster.class);
        setMixInAnnotation(Request.class, FormerRequest.class);
        setMixInAnnotation(TlsStatus.class, LaterStatus.class);
        addDeserializer(KeptVolume.class, new VolumeReader());
        addDeserializer(Advice.class, new AdviceReader());
        setDeserializerModifier(new FormerNodeReader.Modifier());
    }

    interface FormerNode {
        @JsonAlias("displaced")
        List<Allocation> previousAllocations();

        @JsonAlias("uncleaned")
        boolean needsCleanup();

        @JsonAlias("aside")
        boolean evacuating();
    }

    interface FormerCluster {
        @JsonAlias({"keptVolumes", "left"})
        List<KeptVolume> volumes();
    }

    interface FormerRequest {
        @JsonAlias("claim")
        LockScope lockScope();
    }

    interface LaterStatus {
        @JsonDeserialize(using = TlsReader.class)
        TlsSpec target();
    }

    /** Reads modes that are not known here as null. */
    static final class TlsReader extends StdDeserializer<TlsSpec> {
        private static final long serialVersionUID = 1L;

        TlsReader() {
            super(TlsSpec.class);
        }

        @Override
        public @Nullable TlsSpec deserialize(JsonParser json, DeserializationContext context) throws IOException {
            try {
                return context.readTreeAsValue(context.readTree(json), TlsSpec.class);
            } catch (InvalidFormatException e) {
                return null;
            }
        }
    }

    /** An advice was a plain sentence before its commands were values. */
    private static final class AdviceReader extends StdDeserializer<Advice> {
        private static final long serialVersionUID = 1L;

        private record Fields(String text, List<String> commands) {}

        AdviceReader() {
            super(Advice.class);
        }

        @Override
        public Advice deserialize(JsonParser json, DeserializationContext context) throws IOException {
            if (json.hasToken(JsonToken.VALUE_STRING)) {
                return Advice.of(json.getText());
            }
            Fields fields = context.readValue(json, Fields.class);
            return new Advice(fields.text(), fields.commands());
        }
    }

    /** A volume was an id alone before its record said more. */
    private static final class VolumeReader extends StdDeserializer<KeptVolume> {
        private static final long serialVersionUID = 1L;

        private record Volume(
                AllocationId id,
                @Nullable Allocation allocation,
                KeptVolume.Reason reason,
                @Nullable Instant since,
                @Nullable Instant discardedAt,
                boolean sent,
                @Nullable Instant destroyedAt,
                @Nullable String incarnation,
                @Nullable String dropped) {}

        VolumeReader() {
            super(KeptVolume.class);
        }

        @Override
        public KeptVolume deserialize(JsonParser json, DeserializationContext context) throws IOException {
            if (json.hasToken(JsonToken.VALUE_STRING)) {
                return KeptVolume.ofOlderServer(json.getText());
            }
            Volume v = context.readValue(json, Volume.class);
            return new KeptVolume(
                    v.id(),
                    v.allocation(),
                    v.reason(),
                    v.since(),
                    v.discardedAt(),
                    v.sent(),
                    v.destroyedAt(),
                    v.incarnation(),
                    v.dropped());
        }
    }
}
