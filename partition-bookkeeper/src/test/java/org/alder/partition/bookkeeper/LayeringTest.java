package org.alder.partition.bookkeeper;

import com.tngtech.archunit.core.domain.JavaClasses;
import java.io.IOException;
import java.nio.file.Path;
import org.alder.partition.testing.Layering;
import org.junit.Test;

/** Holds this module against layering.txt in the root folder. No other module is compiled with it, BookKeeper or ZooKeeper. */
public class LayeringTest {
    private static final String ROOT = "org.alder.partition.bookkeeper";

    @Test
    public void importsPointOnlyWhereLayeringAllows() throws IOException {
        Layering layering = new Layering(Path.of("..", "layering.txt"), name -> name.startsWith(ROOT));
        JavaClasses classes = Layering.classes(ROOT);
        layering.assertPackages(classes);
        layering.assertImports(classes);
    }
}
