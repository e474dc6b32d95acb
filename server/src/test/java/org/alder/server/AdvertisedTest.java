package org.alder.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.RootDSE;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** What the root DSE advertises is what is tested, and no more. */
public class AdvertisedTest {
    private static final Path CLASSES = Path.of("target/test-classes");

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    @Test
    public void everyAdvertisedOidHasATestOfItsBehaviour() throws Exception {
        Set<String> proved = proved();
        try (TestTls server = new TestTls(folder.getRoot().toPath(), settings -> settings);
                LDAPConnection connection = server.server().anonymous()) {
            RootDSE root = connection.getRootDSE();
            Set<String> advertised = new TreeSet<>(List.of(root.getSupportedControlOIDs()));
            assertTrue(advertised.contains("1.2.840.113556.1.4.319"));
            advertised.addAll(List.of(root.getSupportedExtendedOperationOIDs()));
            advertised.addAll(List.of(root.getAttributeValues("supportedFeatures")));
            assertEquals(advertised, proved);
        }
    }

    private static Set<String> proved() throws IOException, ReflectiveOperationException {
        Set<String> oids = new TreeSet<>();
        List<Path> files;
        try (Stream<Path> walk = Files.walk(CLASSES)) {
            files = walk.filter(file -> file.toString().endsWith("Test.class")).toList();
        }
        for (Path file : files) {
            String name = CLASSES.relativize(file).toString().replace(".class", "").replace('/', '.').replace('\\', '.');
            for (Method method : Class.forName(name).getDeclaredMethods()) {
                Proves proves = method.getAnnotation(Proves.class);
                if (proves != null && method.isAnnotationPresent(Test.class)) {
                    oids.addAll(List.of(proves.value()));
                }
            }
        }
        return oids;
    }
}
