package org.alder.perf;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.Assert.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.alder.partition.testing.Layering;
import org.junit.BeforeClass;
import org.junit.Test;

/** Holds all of Alder's classes against layering.txt in the root folder. */
public class LayeringTest {
    /** Of a module that others find where it is on their class path, and know nothing of: its own test holds it to the same file. */
    private static final String ELSEWHERE = "org.alder.partition.bookkeeper";

    private static final String CORE = "org.alder.partition.";

    private static JavaClasses classes;
    private static Layering layering;

    @BeforeClass
    public static void load() throws IOException {
        classes = Layering.classes("org.alder").that(JavaClass.Predicates.resideOutsideOfPackage(ELSEWHERE + ".."));
        layering = new Layering(Path.of("..", "layering.txt"), name -> !name.startsWith(ELSEWHERE));
    }

    @Test
    public void everyPackageIsNamedAndEveryNamedPackageExists() {
        layering.assertPackages(classes);
    }

    @Test
    public void importsPointOnlyWhereLayeringAllows() {
        layering.assertImports(classes);
    }

    @Test
    public void theProtocolKnowsOfTheCoreOnlyWhatTheFieldKnows() {
        Set<String> nouns = Set.of("ber", "dn", "error", "filter", "request", "schema", "schema.value", "text");
        for (Map.Entry<String, List<String>> line : layering.allowed().entrySet()) {
            if (line.getKey().matches("org\\.alder\\.server\\.(protocol(\\..*)?|control|extended)")) {
                for (String to : line.getValue()) {
                    String inCore = to.startsWith(CORE) ? to.substring(CORE.length()) : "dn";
                    boolean value = inCore.startsWith("entry.") && !inCore.equals("entry.EntryRecord") && !inCore.endsWith("*");
                    assertTrue(line.getKey() + " may not import " + to, nouns.contains(inCore) || value);
                }
            }
        }
    }

    @Test
    public void noPackageCycles() {
        slices().matching("org.alder.(**)").should().beFreeOfCycles().check(classes);
    }
}
