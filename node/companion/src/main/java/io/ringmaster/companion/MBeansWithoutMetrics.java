package io.ringmaster.companion;

import javax.management.ObjectName;
import org.apache.cassandra.utils.MBeanWrapper;

/**
 * Registers all MBeans except those of single metrics, which are thousands at each start. {@link Metrics} and
 * Cassandra's virtual tables read metrics from their registry instead. The system property
 * {@code org.apache.cassandra.mbean_registration_class} makes Cassandra use this class.
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
