package org.alder.server;

import static org.junit.Assert.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.alder.partition.testing.Await;

/** Runs the JDK's keytool. Stateless. */
public final class ToolRun {
    private ToolRun() {
    }

    public static void keytool(Object... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-J-Duser.language=en", "-J-XX:TieredStopAtLevel=1"));
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(command + " said " + out, 0, Await.end("keytool", process));
    }
}
