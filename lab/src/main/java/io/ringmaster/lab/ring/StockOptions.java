package io.ringmaster.lab.ring;

import java.util.List;
import java.util.stream.Stream;

/**
 * The JVM options of Cassandra 5.0 in conf/jvm-server.options, conf/jvm11-server.options and
 * conf/jvm17-server.options, without those of a {@link JvmCollector}. JDK 21 gets those of 17.
 */
public final class StockOptions {
    private static final List<String> GENERAL = List.of(
            "-ea",
            "-da:net.openhft...",
            "-XX:+UseThreadPriorities",
            "-XX:+HeapDumpOnOutOfMemoryError",
            "-Xss256k",
            "-XX:+AlwaysPreTouch",
            "-XX:+UseTLAB",
            "-XX:+ResizeTLAB",
            "-XX:+UseNUMA",
            "-XX:+PerfDisableSharedMem",
            "-Djava.net.preferIPv4Stack=true",
            "-Djdk.attach.allowAttachSelf=true",
            "-Dio.netty.tryReflectionSetAccessible=true");

    /** JDK 11 takes the value as the name of a class and ends; from 18 on a security manager is refused without it. */
    private static final String SECURITY_MANAGER = "-Djava.security.manager=allow";

    private static final int FIRST_TO_ALLOW = 17;

    private static final List<String> EXPORTS = List.of(
            "java.base/jdk.internal.misc",
            "java.management.rmi/com.sun.jmx.remote.internal.rmi",
            "java.rmi/sun.rmi.registry",
            "java.rmi/sun.rmi.server",
            "java.rmi/sun.rmi.transport.tcp",
            "java.sql/java.sql",
            "java.base/java.lang.ref",
            "jdk.unsupported/sun.misc",
            "jdk.compiler/com.sun.tools.javac.file",
            "java.base/sun.nio.ch");

    private static final List<String> OPENS = List.of(
            "java.base/java.lang.module",
            "java.base/jdk.internal.loader",
            "java.base/jdk.internal.ref",
            "java.base/jdk.internal.reflect",
            "java.base/jdk.internal.math",
            "java.base/jdk.internal.module",
            "java.base/jdk.internal.util.jar",
            "jdk.management/com.sun.management.internal",
            "java.base/sun.nio.ch",
            "java.base/java.io",
            "java.base/java.nio",
            "java.base/java.util.concurrent",
            "java.base/java.util",
            "java.base/java.util.concurrent.atomic",
            "java.base/java.lang",
            "java.base/java.math",
            "java.base/java.lang.reflect",
            "java.base/java.net");

    private StockOptions() {}

    /** @param feature first number of the JDK's version, such as 17 */
    static List<String> of(int feature) {
        Stream<String> manager = feature < FIRST_TO_ALLOW ? Stream.of() : Stream.of(SECURITY_MANAGER);
        return Stream.of(GENERAL.stream(), manager, modules().stream())
                .flatMap(options -> options)
                .toList();
    }

    /** What Cassandra's code, its tools included, uses of the JDK's inner packages. */
    public static List<String> modules() {
        return Stream.concat(
                        EXPORTS.stream().map(name -> "--add-exports=" + name + "=ALL-UNNAMED"),
                        OPENS.stream().map(name -> "--add-opens=" + name + "=ALL-UNNAMED"))
                .toList();
    }
}
