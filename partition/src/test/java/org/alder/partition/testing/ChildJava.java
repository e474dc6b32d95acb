package org.alder.partition.testing;

import java.io.File;
import java.util.ArrayList;
import java.util.List;

/** How a test starts a JVM beside its own: the same Java, as if on the same machine elsewhere, and without warnings of Java's own. */
public final class ChildJava {
    /** From then on Java warns of native libraries that nobody has allowed. */
    private static final int ASKS_FOR_NATIVE_ACCESS = 22;
    private static final List<String> MACHINE = List.of("user.language", "user.country", "user.extensions", "user.timezone");

    private ChildJava() {
    }

    /** @return the command up to the main class: options, and the class path of the test */
    public static List<String> command(String... options) {
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
        if (Runtime.version().feature() >= ASKS_FOR_NATIVE_ACCESS) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        for (String property : MACHINE) {
            if (System.getProperty(property) != null) {
                command.add("-D" + property + "=" + System.getProperty(property));
            }
        }
        command.addAll(List.of(options));
        command.addAll(List.of("-cp", System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))));
        return command;
    }
}
