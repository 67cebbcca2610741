package io.ringmaster.executor.configuration;

import io.ringmaster.identity.SpiffeName;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.model.spec.ClientTlsMode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The parameters of cassandra.yaml for TLS. They name the files of certificates and say nothing about
 * their content, so that a renewal needs no restart.
 */
final class TlsParameters {
    private static final List<String> PROTOCOLS = List.of("TLSv1.3", "TLSv1.2");
    private static final Map<String, String> PEM_FILES =
            Map.of("class_name", "org.apache.cassandra.security.PEMBasedSslContextFactory");

    private TlsParameters() {}

    /**
     * Between nodes. Cassandra's authenticator looks at incoming connections only; the check of addresses is what
     * protects the node that connects.
     */
    static Map<String, Object> internode(NodeTarget target, NodeFiles files) {
        Map<String, Object> options = new LinkedHashMap<>();
        options.put("internode_encryption", "all");
        options.put("optional", false);
        options.put("legacy_ssl_storage_port_enabled", false);
        options.put("require_client_auth", true);
        options.put("require_endpoint_verification", true);
        options.put("accepted_protocols", PROTOCOLS);
        options.put("ssl_context_factory", PEM_FILES);
        options.put("keystore", files.certificate().toString());
        options.put("outbound_keystore", files.certificate().toString());
        options.put("truststore", files.internodeTrust().toString());
        Map<String, Object> parameters = new LinkedHashMap<>();
        parameters.put("validator_class_name", "org.apache.cassandra.auth.SpiffeCertificateValidator");
        parameters.put(
                "trusted_peer_identities",
                SpiffeName.cluster(target.node().cluster().value()).toString());
        Map<String, Object> authenticator = new LinkedHashMap<>();
        authenticator.put("class_name", "org.apache.cassandra.auth.MutualTlsInternodeAuthenticator");
        authenticator.put("parameters", parameters);
        Map<String, Object> yaml = new LinkedHashMap<>();
        yaml.put("server_encryption_options", options);
        yaml.put("internode_authenticator", authenticator);
        return yaml;
    }

    /** For CQL clients, which show no certificate. */
    static Map<String, Object> clients(ClientTlsMode mode, NodeFiles files) {
        Map<String, Object> options = new LinkedHashMap<>();
        options.put("enabled", true);
        options.put("optional", mode == ClientTlsMode.OPTIONAL);
        options.put("require_client_auth", false);
        options.put("accepted_protocols", PROTOCOLS);
        options.put("ssl_context_factory", PEM_FILES);
        options.put("keystore", files.cqlCertificate().toString());
        return Map.of("client_encryption_options", options);
    }
}
