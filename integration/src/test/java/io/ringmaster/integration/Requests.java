package io.ringmaster.integration;

import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.time.Duration;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** What a {@link SteadyReader} sends, one statement after another, and how it judges each answer. */
interface Requests {
    /** @param number from 0 */
    SimpleStatement next(int number);

    /**
     * @param number of the statement that was answered
     * @return what is wrong with the answer, or null
     */
    @Nullable
    String judge(int number, ResultSet answer);

    /** The last statement was late and is sent again: it may be carried out twice. */
    default void repeated() {}

    /** A request that takes longer has failed. */
    default Duration patience() {
        return SteadyReader.PATIENCE;
    }

    /** Every read must return a row. */
    static Requests of(IntFunction<SimpleStatement> statements) {
        return new Requests() {
            @Override
            public SimpleStatement next(int number) {
                return statements.apply(number);
            }

            @Override
            public @Nullable String judge(int number, ResultSet answer) {
                return answer.getColumnDefinitions().size() > 0 && answer.one() == null ? "no row" : null;
            }
        };
    }
}
