package org.alder.partition.jdbm.store;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.rules.TemporaryFolder;
import org.slf4j.LoggerFactory;

/** A folder of a test that makes faults on purpose, hundreds of them: their stack traces would hide all else, so none is logged. */
public final class FaultFolder extends TemporaryFolder {
    private static final Path MEMORY = Path.of("/dev/shm");
    private static final long MUCH_BYTES = 1L << 30;

    private final Logger logger = (Logger) LoggerFactory.getLogger("org.alder.partition.jdbm");

    public FaultFolder() {
        this(null);
    }

    private FaultFolder(File parent) {
        super(parent);
    }

    /** In memory where the system has room for files there: what makes and removes thousands waits for nothing then. */
    public static FaultFolder inMemory() {
        try {
            boolean hasRoom = Files.isWritable(MEMORY) && Files.getFileStore(MEMORY).getUsableSpace() > MUCH_BYTES;
            return new FaultFolder(hasRoom ? MEMORY.toFile() : null);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    protected void before() throws Throwable {
        super.before();
        logger.setLevel(Level.OFF);
    }

    @Override
    protected void after() {
        logger.setLevel(null);
        super.after();
    }
}
