package io.ringmaster.integration;

import io.ringmaster.model.spec.Preset;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The cluster that a class of tests on real nodes runs. Without values it is what a spec gets by default: the preset
 * {@code production}, TLS, and CQL clients that log in. {@link Playground#up} starts that cluster, and the page
 * contributing.md of the docs lists all classes.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(PlaygroundKind.class)
public @interface RealNodes {
    Preset preset() default Preset.PRODUCTION;

    /** Whether nodes and CQL clients talk by TLS. */
    boolean tls() default true;

    /** Whether CQL clients log in. */
    boolean roles() default true;

    /** The reason for every difference from the defaults. */
    String why() default "";
}
