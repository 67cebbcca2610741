package io.ringmaster.executor.configuration;

/** The configuration of Cassandra's log: one rolling file, so that the latest lines are always in the same file. */
final class Logback {
    private Logback() {}

    static String xml(NodeFiles files) {
        return """
                <configuration>
                  <appender name="SYSTEM" class="ch.qos.logback.core.rolling.RollingFileAppender">
                    <file>%1$s</file>
                    <filter class="io.ringmaster.companion.PausesOnly"/>
                    <rollingPolicy class="ch.qos.logback.core.rolling.FixedWindowRollingPolicy">
                      <fileNamePattern>%1$s.%%i</fileNamePattern>
                      <minIndex>1</minIndex>
                      <maxIndex>5</maxIndex>
                    </rollingPolicy>
                    <triggeringPolicy class="ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy">
                      <maxFileSize>20MB</maxFileSize>
                    </triggeringPolicy>
                    <encoder>
                      <pattern>%%-5level [%%thread] %%date{ISO8601} %%F:%%L - %%msg%%n</pattern>
                    </encoder>
                  </appender>
                  <root level="INFO">
                    <appender-ref ref="SYSTEM"/>
                  </root>
                </configuration>
                """
                .formatted(files.systemLog());
    }
}
