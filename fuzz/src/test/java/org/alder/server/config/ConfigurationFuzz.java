package org.alder.server.config;

import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import org.alder.fuzz.Scratch;

/** A configuration is taken as a whole, or refused with the place of what is wrong. */
public final class ConfigurationFuzz {
    private static final Path FILE = Scratch.file("config.ldif");

    private ConfigurationFuzz() {
    }

    public static void file(byte[] input) throws IOException {
        Scratch.write(FILE, input);
        try {
            ConfigurationReader.read(FILE);
        } catch (ConfigurationException e) {
            assertTrue(e.getMessage(), e.getMessage().startsWith(FILE.toString()));
        }
    }
}
