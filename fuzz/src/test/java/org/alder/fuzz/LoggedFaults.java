package org.alder.fuzz;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.LoggerFactory;

/** What anybody logs as a fault of the program, such as an internal error. Thread safe. */
final class LoggedFaults extends AppenderBase<ILoggingEvent> {
    private static final LoggedFaults ALL = new LoggedFaults();

    private final ConcurrentLinkedQueue<String> faults = new ConcurrentLinkedQueue<>();

    private LoggedFaults() {
        Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        setContext(root.getLoggerContext());
        start();
        root.addAppender(this);
    }

    @Override
    protected void append(ILoggingEvent event) {
        if (event.getLevel().isGreaterOrEqual(Level.ERROR)) {
            faults.add(event.getFormattedMessage() + (event.getThrowableProxy() == null ? ""
                    : " " + event.getThrowableProxy().getClassName() + " " + event.getThrowableProxy().getMessage()));
        }
    }

    /** @throws AssertionError if there was one since this was asked last */
    static void requireNone() {
        if (!ALL.faults.isEmpty()) {
            List<String> found = new ArrayList<>();
            for (String fault = ALL.faults.poll(); fault != null; fault = ALL.faults.poll()) {
                found.add(fault);
            }
            throw new AssertionError("logged: " + found);
        }
    }
}
