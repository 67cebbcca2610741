package io.ringmaster.lab.experiment;

import io.ringmaster.lab.figure.Form;
import io.ringmaster.lab.ring.JvmCollector;
import java.util.Arrays;
import java.util.List;

/** The JVMs of {@link Collectors}. CMS and the G1 of the same JDK stand side by side. */
enum JvmRow {
    CMS_11("11-cms", 11, JvmCollector.CMS),
    G1_11("11-g1", 11, JvmCollector.G1),
    G1_17("17-g1", 17, JvmCollector.G1),
    SERIAL_17("17-serial", 17, JvmCollector.SERIAL),
    SHENANDOAH_17("17-shenandoah", 17, JvmCollector.SHENANDOAH),
    ZGC_17("17-zgc", 17, JvmCollector.ZGC),
    G1_21("21-g1", 21, JvmCollector.G1),
    ZGC_21("21-generational-zgc", 21, JvmCollector.GENERATIONAL_ZGC);

    /** The JDK of the product: its default can be only a collector of this. */
    static final int PRODUCT = 17;

    /** The default of the product, {@code jvm.collector} of a spec. */
    static final JvmRow DEFAULT = SHENANDOAH_17;

    private final String key;
    private final int feature;
    private final JvmCollector collector;

    JvmRow(String key, int feature, JvmCollector collector) {
        this.key = key;
        this.feature = feature;
        this.collector = collector;
    }

    /** The first part of the keys of its figures. */
    String key() {
        return key;
    }

    int feature() {
        return feature;
    }

    JvmCollector collector() {
        return collector;
    }

    /** {@code G1 on 17}. */
    String text() {
        return collector.text() + " on " + feature;
    }

    static List<JvmRow> of(Form form) {
        return form == Form.SHORT ? List.of(G1_17, SERIAL_17) : Arrays.asList(values());
    }
}
