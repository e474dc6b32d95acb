package org.alder.partition.bookkeeper.level;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.util.jar.Attributes;
import org.alder.partition.store.ClusterService.Build;
import org.alder.partition.store.FeatureLevel;

/** The build that runs here. */
public final class ThisBuild {
    /** Called by its version and revision, as its jar says. */
    public static final Build BUILD = new Build(name(), FeatureLevel.FIRST, FeatureLevel.NEWEST);

    private ThisBuild() {
    }

    private static String name() {
        try {
            if (ThisBuild.class.getResource("ThisBuild.class").openConnection() instanceof JarURLConnection jar) {
                Attributes attributes = jar.getMainAttributes();
                String revision = attributes.getValue("Alder-Revision");
                return attributes.getValue(Attributes.Name.IMPLEMENTATION_VERSION) + (revision == null || revision.isEmpty() ? "" : " (" + revision + ")");
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the jar that this program runs from cannot be read", e);
        }
        return "development";
    }
}
