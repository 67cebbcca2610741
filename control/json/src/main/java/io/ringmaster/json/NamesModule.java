package io.ringmaster.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.KeyDeserializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.FromStringDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import io.ringmaster.model.access.ClusterPattern;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.Name;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.PlanId;
import io.ringmaster.model.name.RackName;
import io.ringmaster.model.name.RequestId;
import io.ringmaster.model.name.RoleName;
import io.ringmaster.model.name.TokenId;
import io.ringmaster.model.plan.PlanDigest;
import java.io.IOException;
import java.util.function.Function;

/** Writes typed names as plain strings, both as values and as keys. */
final class NamesModule extends SimpleModule {
    private static final long serialVersionUID = 1L;

    NamesModule() {
        addSerializer(Name.class, new NameWriter());
        addKeySerializer(Name.class, new NameKeyWriter());
        register(ClusterName.class, ClusterName::new);
        register(DatacenterName.class, DatacenterName::new);
        register(RackName.class, RackName::new);
        register(MachineName.class, MachineName::new);
        register(AllocationId.class, AllocationId::new);
        register(NodeId.class, NodeId::of);
        register(PlanId.class, PlanId::of);
        register(PlanDigest.class, PlanDigest::new);
        register(RequestId.class, RequestId::of);
        register(TokenId.class, TokenId::new);
        register(RoleName.class, RoleName::new);
        register(ClusterPattern.class, ClusterPattern::new);
    }

    private <N extends Name> void register(Class<N> type, Function<String, N> parse) {
        addDeserializer(type, new NameReader<>(type, parse));
        addKeyDeserializer(type, new KeyDeserializer() {
            @Override
            public Object deserializeKey(String key, DeserializationContext context) {
                return parse.apply(key);
            }
        });
    }

    private static final class NameWriter extends StdSerializer<Name> {
        private static final long serialVersionUID = 1L;

        NameWriter() {
            super(Name.class);
        }

        @Override
        public void serialize(Name name, JsonGenerator json, SerializerProvider provider) throws IOException {
            json.writeString(name.value());
        }
    }

    private static final class NameKeyWriter extends StdSerializer<Name> {
        private static final long serialVersionUID = 1L;

        NameKeyWriter() {
            super(Name.class);
        }

        @Override
        public void serialize(Name name, JsonGenerator json, SerializerProvider provider) throws IOException {
            json.writeFieldName(name.value());
        }
    }

    private static final class NameReader<N extends Name> extends FromStringDeserializer<N> {
        private static final long serialVersionUID = 1L;
        private final transient Function<String, N> parse;

        NameReader(Class<N> type, Function<String, N> parse) {
            super(type);
            this.parse = parse;
        }

        @Override
        protected N _deserialize(String text, DeserializationContext context) {
            return parse.apply(text);
        }
    }
}
