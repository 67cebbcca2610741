package io.ringmaster.engine.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TemporaryMarksTest {
    private final List<String> stored = new ArrayList<>();
    private final TemporaryMarks marks = new TemporaryMarks("", stored::add);

    @Test
    void aMarkIsActiveUntilItsSSTableIsDeletedAlsoAfterARestart() {
        int mark = marks.issue();
        assertThat(marks.isActive(mark)).isTrue();
        assertThat(stored).last().isEqualTo(String.valueOf(mark));
        TemporaryMarks afterARestart = new TemporaryMarks(stored.get(0), stored::add);
        assertThat(afterARestart.isActive(mark)).isTrue();
        afterARestart.retire(Set.of(mark));
        assertThat(afterARestart.isActive(mark)).isFalse();
        marks.retire(Set.of(mark));
        assertThat(marks.isActive(mark)).isFalse();
        assertThat(stored).last().isEqualTo("");
    }

    @Test
    void aMarkOfAnotherNodeOrOfThePreviousStartButOneIsNotActive() {
        int mark = marks.issue();
        assertThat(new TemporaryMarks("", stored::add).isActive(mark)).isFalse();
        TemporaryMarks second = new TemporaryMarks(stored.get(0), stored::add);
        int other = second.issue();
        assertThat(stored).last().isEqualTo(String.valueOf(other));
        assertThat(new TemporaryMarks(String.valueOf(other), stored::add).isActive(mark))
                .isFalse();
    }
}
