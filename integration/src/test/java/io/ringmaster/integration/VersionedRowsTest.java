package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which answers the steady reads take for right. */
class VersionedRowsTest {
    @ParameterizedTest(name = "{1} acknowledged, {0} sent: {2} is right: {3}")
    @CsvSource({
        "0, 0, , true", // nothing was written
        "1, 0, , true",
        "1, 0, 1, true", // on its way
        "1, 1, 1, true",
        "1, 1, , false", // lost
        "3, 3, 2, false", // older than acknowledged
        "3, 2, 3, true",
        "3, 2, , false",
        "5, 4, , true", // the delete is on its way
        "5, 5, , true",
        "5, 5, 4, false", // a deleted row is back
        "6, 5, , true",
        "6, 6, , false",
        "10, 6, , true",
        "10, 10, 9, false",
        "3, 3, 4, false" // nobody wrote that
    })
    void a_read_is_right_if_something_that_was_sent_explains_it(
            int sent, int acknowledged, @Nullable Integer found, boolean right) {
        var rows = new VersionedRows(100, 1);
        for (int version = 1; version <= sent; version++) {
            rows.next(version);
        }
        assertThat(rows.wrong(100, acknowledged, found) == null).isEqualTo(right);
    }
}
