package io.ringmaster.executor.configuration;

import io.ringmaster.identity.SpiffeName;
import io.ringmaster.model.node.NodeTarget;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The parameters of cassandra.yaml for TLS between nodes. They name the files of certificates and say nothing about
 * their content, so that a renewal needs no restart.
 */
final class InternodeTls {
    private InternodeTls() {}

    /**
     * Cassandra's authenticator looks at incoming connections only; the check of addresses is what protects the node
     * that connects.
     */
    static Map<String, Object> parameters(NodeTarget target, NodeFiles files) {
        Map<String, Object> options = new LinkedHashMap<>();
        options.put("internode_encryption", "all");
        options.put("optional", false);
        options.put("legacy_ssl_storage_port_enabled", false);
        options.put("require_client_auth", true);
        options.put("require_endpoint_verification", true);
        options.put("accepted_protocols", List.of("TLSv1.3", "TLSv1.2"));
        options.put(
                "ssl_context_factory", Map.of("class_name", "org.apache.cassandra.security.PEMBasedSslContextFactory"));
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
}
