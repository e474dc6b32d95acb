package org.alder.perf;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.BeforeClass;
import org.junit.Test;

/** Holds all of Alder's classes against layering.txt in the root folder. */
public class LayeringTest {
    private static final Path RULES = Path.of("..", "layering.txt");
    private static final List<String> ALWAYS_ALLOWED = List.of("java.", "org.slf4j.");

    private static final String CORE = "org.alder.partition.";

    private static JavaClasses classes;
    private static Map<String, List<String>> allowed;

    @BeforeClass
    public static void load() throws IOException {
        ClassFileImporter importer = new ClassFileImporter().withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .withImportOption(location -> !location.contains("-tests.jar"));
        classes = importer.importPackages("org.alder");
        allowed = new TreeMap<>();
        for (String line : Files.readAllLines(RULES)) {
            if (!line.isBlank() && !line.startsWith("#")) {
                String[] parts = line.split(":", 2);
                String[] imports = parts[1].isBlank() ? new String[0] : parts[1].trim().split("\\s+");
                assertEquals("named twice: " + parts[0], null, allowed.put(parts[0].trim(), Arrays.asList(imports)));
            }
        }
    }

    @Test
    public void everyPackageIsNamedAndEveryNamedPackageExists() {
        Set<String> packages = classes.stream().map(JavaClass::getPackageName).collect(Collectors.toCollection(TreeSet::new));
        assertEquals(allowed.keySet(), packages);
    }

    @Test
    public void importsPointOnlyWhereLayeringAllows() {
        Set<String> violations = new TreeSet<>();
        Set<String> used = new TreeSet<>();
        for (JavaClass type : classes) {
            for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                check(type, dependency.getTargetClass(), violations, used);
            }
        }
        assertTrue("imports that layering.txt does not allow:\n" + String.join("\n", violations), violations.isEmpty());
        List<String> unused = new ArrayList<>();
        allowed.forEach((from, targets) -> targets.stream().map(to -> from + " -> " + to).filter(arrow -> !used.contains(arrow))
                .forEach(unused::add));
        assertTrue("arrows in layering.txt that nothing uses:\n" + String.join("\n", unused), unused.isEmpty());
    }

    @Test
    public void theProtocolKnowsOfTheCoreOnlyWhatTheFieldKnows() {
        Set<String> nouns = Set.of("ber", "dn", "error", "filter", "request", "schema", "schema.value", "text");
        for (Map.Entry<String, List<String>> line : allowed.entrySet()) {
            if (line.getKey().matches("org\\.alder\\.server\\.(protocol(\\..*)?|control|extended)")) {
                for (String to : line.getValue()) {
                    String inCore = to.startsWith(CORE) ? to.substring(CORE.length()) : "dn";
                    boolean value = inCore.startsWith("entry.") && !inCore.equals("entry.EntryRecord") && !inCore.endsWith("*");
                    assertTrue(line.getKey() + " may not import " + to, nouns.contains(inCore) || value);
                }
            }
        }
    }

    private static void check(JavaClass type, JavaClass target, Set<String> violations, Set<String> used) {
        String from = type.getPackageName();
        String to = target.getBaseComponentType().getPackageName();
        String outer = target.getBaseComponentType().getName().replaceFirst("\\$.*", "");
        if (to.isEmpty() || to.equals(from) || ALWAYS_ALLOWED.stream().anyMatch((to + ".")::startsWith)) {
            return;
        }
        List<String> targets = allowed.getOrDefault(from, List.of());
        for (String permitted : targets) {
            if (permitted.endsWith(".*") ? (to + ".").startsWith(permitted.substring(0, permitted.length() - 1))
                    : to.equals(permitted) || outer.equals(permitted)) {
                used.add(from + " -> " + permitted);
                return;
            }
        }
        violations.add(from + " -> " + to + " (" + type.getSimpleName() + " uses " + target.getSimpleName() + ")");
    }

    @Test
    public void noPackageCycles() {
        slices().matching("org.alder.(**)").should().beFreeOfCycles().check(classes);
    }
}
