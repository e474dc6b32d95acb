package org.alder.partition.testing;

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
import java.util.function.Predicate;

/** What layering.txt in the root folder says, and whether classes keep to it. Immutable. */
public final class Layering {
    private static final List<String> ALWAYS_ALLOWED = List.of("java.", "org.slf4j.");

    private final Map<String, List<String>> allowed = new TreeMap<>();

    /** @param isHere whose packages' lines are looked at */
    public Layering(Path rules, Predicate<String> isHere) throws IOException {
        for (String line : Files.readAllLines(rules)) {
            if (!line.isBlank() && !line.startsWith("#")) {
                String[] parts = line.split(":", 2);
                String[] imports = parts[1].isBlank() ? new String[0] : parts[1].trim().split("\\s+");
                if (isHere.test(parts[0].trim())) {
                    assertEquals("named twice: " + parts[0], null, allowed.put(parts[0].trim(), Arrays.asList(imports)));
                }
            }
        }
    }

    /** The classes on the class path that are in a package or below it, but for tests. */
    public static JavaClasses classes(String root) {
        return new ClassFileImporter().withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .withImportOption(location -> !location.contains("-tests.jar")).importPackages(root);
    }

    /** What each package may import. */
    public Map<String, List<String>> allowed() {
        return allowed;
    }

    /** Every package is named, and every named package exists. */
    public void assertPackages(Iterable<JavaClass> classes) {
        Set<String> packages = new TreeSet<>();
        classes.forEach(type -> packages.add(type.getPackageName()));
        assertEquals(allowed.keySet(), packages);
    }

    /** Every import is allowed, and everything that is allowed is used. */
    public void assertImports(Iterable<JavaClass> classes) {
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

    private void check(JavaClass type, JavaClass target, Set<String> violations, Set<String> used) {
        String from = type.getPackageName();
        String to = target.getBaseComponentType().getPackageName();
        String outer = target.getBaseComponentType().getName().replaceFirst("\\$.*", "");
        if (to.isEmpty() || to.equals(from) || ALWAYS_ALLOWED.stream().anyMatch((to + ".")::startsWith)) {
            return;
        }
        for (String permitted : allowed.getOrDefault(from, List.of())) {
            if (permitted.endsWith(".*") ? (to + ".").startsWith(permitted.substring(0, permitted.length() - 1))
                    : to.equals(permitted) || outer.equals(permitted)) {
                used.add(from + " -> " + permitted);
                return;
            }
        }
        violations.add(from + " -> " + to + " (" + type.getSimpleName() + " uses " + target.getSimpleName() + ")");
    }
}
