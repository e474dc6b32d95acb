package org.alder.server;

import static org.junit.Assert.assertEquals;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** What the server logs as its own fault from now on. Closing it fails if that is anything. */
final class LoggedFaults extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final List<String> faults = new CopyOnWriteArrayList<>();

    LoggedFaults() {
        setContext(root.getLoggerContext());
        start();
        root.addAppender(this);
    }

    @Override
    protected void append(ILoggingEvent event) {
        if (event.getLevel().isGreaterOrEqual(Level.ERROR)) {
            faults.add(event.getFormattedMessage()
                    + (event.getThrowableProxy() == null ? "" : " " + event.getThrowableProxy().getMessage()));
        }
    }

    List<String> take() {
        List<String> taken = List.copyOf(faults);
        faults.removeAll(taken);
        return taken;
    }

    @Override
    public void close() {
        root.detachAppender(this);
        assertEquals("faults of the server", List.of(), faults);
    }
}
