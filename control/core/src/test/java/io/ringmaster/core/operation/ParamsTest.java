package io.ringmaster.core.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.operation.Operation.Param;
import io.ringmaster.model.request.ParamKind;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The kind of each parameter agrees with the form that help texts show. */
class ParamsTest {
    static Stream<Param> all() {
        return Operations.all().stream().flatMap(o -> o.params().stream()).distinct();
    }

    @ParameterizedTest
    @MethodSource("all")
    void the_form_of_a_parameter_is_that_of_its_kind(Param param) {
        String one = param.form().replaceFirst("\\[,.*", "");
        switch (param.kind()) {
            case FLAG -> assertThat(param.form()).isEqualTo("true|false");
            case CHOICE -> assertThat(one).isIn(String.join("|", param.choices()), "LEVEL");
            case DATACENTER -> assertThat(one).isEqualTo("DC");
            case RACK -> assertThat(one).isEqualTo("RACK");
            case NODE -> assertThat(one).isEqualTo("DC/node-N");
            case MACHINE -> assertThat(one).isEqualTo("DC/MACHINE");
            case KEYSPACE, TABLE -> assertThat(one).isEqualTo("NAME");
            case NUMBER -> assertThat(one).isIn("N", "0.1-1");
            case LOCATION -> assertThat(one).isEqualTo("LOCATION");
            case BACKUP -> assertThat(one).isEqualTo("ID");
            case RATE -> assertThat(one).isEqualTo("100MiB/s");
            case DURATION -> assertThat(one).isEqualTo("30m|12h|7d");
        }
    }

    @ParameterizedTest
    @MethodSource("all")
    void only_a_choice_has_choices(Param param) {
        assertThat(param.choices().isEmpty()).isEqualTo(param.kind() != ParamKind.CHOICE);
        assertThat(param.several())
                .isEqualTo(List.of("dc", "rack", "keyspaces", "tables", "consistency", "backups")
                                .contains(param.name())
                        || (param.name().equals("node") && !param.required()));
    }
}
