package io.ringmaster.companion;

import javax.management.ObjectName;
import org.apache.cassandra.utils.MBeanWrapper;

/**
 * Registers all MBeans but those of single metrics, thousands at each start. Metrics are read from their registry instead, by
 * {@link Metrics} and by Cassandra's virtual tables. Cassandra makes it when {@code org.apache.cassandra.mbean_registration_class}
 * names it.
 */
public final class MBeansWithoutMetrics extends MBeanWrapper.PlatformMBeanWrapper {
    private static final String METRICS = "org.apache.cassandra.metrics";

    @Override
    public void registerMBean(Object bean, ObjectName name, OnException onException) {
        if (!isMetric(name)) {
            super.registerMBean(bean, name, onException);
        }
    }

    @Override
    public void unregisterMBean(ObjectName name, OnException onException) {
        if (!isMetric(name)) {
            super.unregisterMBean(name, onException);
        }
    }

    private static boolean isMetric(ObjectName name) {
        return name.getDomain().equals(METRICS);
    }
}
