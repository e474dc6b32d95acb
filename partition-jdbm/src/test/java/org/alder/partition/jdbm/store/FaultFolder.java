package org.alder.partition.jdbm.store;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.junit.rules.TemporaryFolder;
import org.slf4j.LoggerFactory;

/** A folder of a test that makes faults on purpose, hundreds of them: their stack traces would hide all else, so none is logged. */
public final class FaultFolder extends TemporaryFolder {
    private final Logger logger = (Logger) LoggerFactory.getLogger("org.alder.partition.jdbm");

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
