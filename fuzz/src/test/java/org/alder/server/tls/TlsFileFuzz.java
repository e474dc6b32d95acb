package org.alder.server.tls;

import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.alder.fuzz.Named;

/** Keys, certificates and lists of revocations: a server that cannot use a file says its name and what is wrong. */
public final class TlsFileFuzz {
    private static final Path FILE = Path.of("fuzzed.pem");

    private TlsFileFuzz() {
    }

    /** A line that says what the file is given as, {@code authorities}, {@code revocations} or anything else for the server's own, then the file. */
    public static void file(byte[] input) {
        Named named = Named.of(input);
        if (named.rest() == null) {
            return;
        }
        TlsFiles files = switch (named.name()) {
            case "authorities" -> TlsFiles.of(FILE, null).withAuthorities(FILE, List.of());
            case "revocations" -> TlsFiles.of(FILE, null).withAuthorities(null, List.of(FILE));
            default -> TlsFiles.of(FILE, null);
        };
        try {
            TlsMaterial material = TlsMaterial.load(new TlsMaterial.Contents(files, Map.of(FILE, named.rest())));
            assertFalse("no certificate", material.chain().isEmpty());
        } catch (TlsFileException e) {
            assertTrue(e.getMessage(), e.getMessage().contains(FILE.toString()));
        }
    }
}
