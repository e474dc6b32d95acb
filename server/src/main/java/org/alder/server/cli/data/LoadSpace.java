package org.alder.server.cli.data;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.alder.server.cli.option.CommandException;

/**
 * The disk space a bulk load will need, by the size of its LDIF. Measured with the default indexes on the generator's entries: at
 * its peak a load takes 1.4 times the LDIF (new segment and sorted runs), 0.95 times when it is done; without substring indexes
 * 0.9 and 0.7 times.
 */
final class LoadSpace {
    private static final double PEAK_PER_LDIF_BYTE = 1.5;
    private static final int GZIP_MAGIC_0 = 0x1f;
    private static final int GZIP_MAGIC_1 = 0x8b;

    private LoadSpace() {
    }

    /**
     * @throws CommandException if there is too little. Where the amount of LDIF cannot be known (gzip, a pipe) nothing is said.
     */
    static void require(Path folder, List<Path> files) throws IOException, CommandException {
        long ldifBytes = 0;
        for (Path file : files) {
            if (!Files.isRegularFile(file) || isGzip(file)) {
                return;
            }
            ldifBytes += Files.size(file);
        }
        Path existing = folder.toAbsolutePath();
        while (!Files.exists(existing)) {
            existing = existing.getParent();
        }
        require(existing, ldifBytes, existing.toFile().getUsableSpace());
    }

    static void require(Path folder, long ldifBytes, long usableBytes) throws CommandException {
        long peakBytes = (long) (ldifBytes * PEAK_PER_LDIF_BYTE);
        if (peakBytes > usableBytes) {
            throw new CommandException(String.format(Locale.ROOT,
                    "loading %,d MiB of LDIF needs about %,d MiB of disk, and %s has only %,d MiB free: make room, or try it"
                            + " with --force",
                    ldifBytes >> 20, peakBytes >> 20, folder, usableBytes >> 20));
        }
    }

    private static boolean isGzip(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return in.read() == GZIP_MAGIC_0 && in.read() == GZIP_MAGIC_1;
        }
    }
}
