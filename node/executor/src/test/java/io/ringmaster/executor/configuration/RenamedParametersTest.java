package io.ringmaster.executor.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.spec.RenamedParameters;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.cassandra.config.Config;
import org.apache.cassandra.config.Replacements;
import org.junit.jupiter.api.Test;

class RenamedParametersTest {
    @Test
    void theTableHasEachFormerNameThatCassandraTakes() {
        Map<String, String> renamed = Replacements.getNameReplacements(Config.class).get(Config.class).values().stream()
                .filter(replacement -> !replacement.isValueFormatReplacement())
                .collect(Collectors.toMap(replacement -> replacement.oldName, replacement -> replacement.newName));
        assertThat(RenamedParameters.CURRENT).isEqualTo(renamed);
    }
}
