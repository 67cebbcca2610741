package io.ringmaster.integration;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.servererrors.WriteTimeoutException;

/** Makes elements of a schema, as a client that logs in. */
final class Ddl {
    private Ddl() {}

    /**
     * Cassandra grants the maker of a table all permissions on it, by a write at EACH_QUORUM. On a busy machine this
     * may time out when the table is made already: not what a test is about, and the role has its permissions from the
     * spec.
     */
    static void execute(CqlSession session, String statement) {
        try {
            session.execute(statement);
        } catch (WriteTimeoutException late) {
            session.checkSchemaAgreement();
        }
    }
}
