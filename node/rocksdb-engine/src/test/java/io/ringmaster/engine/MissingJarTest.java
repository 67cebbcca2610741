package io.ringmaster.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.utils.JVMStabilityInspector;
import org.junit.jupiter.api.Test;

/** The start of a node with the jar of the engine, and without that of RocksDB. */
class MissingJarTest {
    private final List<Throwable> kills = new ArrayList<>();

    /** Loads the engine again, and finds no class of RocksDB. */
    @SuppressWarnings("BanClassLoader") // it loads only the classes of this build
    private static final class WithoutRocksDB extends URLClassLoader {
        WithoutRocksDB() {
            super(new URL[] {RocksDB.class.getProtectionDomain().getCodeSource().getLocation()});
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("org.rocksdb.")) {
                throw new ClassNotFoundException(name);
            }
            Class<?> loaded = findLoadedClass(name);
            return loaded == null && name.startsWith("io.ringmaster.engine.")
                    ? findClass(name)
                    : super.loadClass(name, resolve);
        }
    }

    private final class Recorder extends JVMStabilityInspector.Killer {
        @Override
        protected void killCurrentJVM(Throwable reason, boolean quiet) {
            kills.add(reason);
        }
    }

    @Test
    void aNodeWithFilesOfRocksDBEnds() throws Exception {
        InProcess.start();
        InProcess.engine();
        assertThat(Path.of(DatabaseDescriptor.getAllDataFileLocations()[0]).resolve("rocksdb.id"))
                .exists();
        JVMStabilityInspector.Killer before = JVMStabilityInspector.replaceKiller(new Recorder());
        try (WithoutRocksDB loader = new WithoutRocksDB()) {
            Method factory = loader.loadClass(RocksDB.class.getName()).getMethod("factory", Map.class);
            assertThatThrownBy(() -> factory.invoke(null, new HashMap<String, String>()))
                    .rootCause()
                    .isInstanceOf(ClassNotFoundException.class);
        } finally {
            JVMStabilityInspector.replaceKiller(before);
        }
        assertThat(kills).singleElement().satisfies(reason -> assertThat(reason)
                .hasMessageContaining("its tables in RocksDB would be empty")
                .hasMessageContaining("the jar rocksdbjni is missing"));
    }
}
