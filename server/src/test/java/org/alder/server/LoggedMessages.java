package org.alder.server;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** What a class logs from now on, of the levels that are on. */
public final class LoggedMessages extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private final Logger logger;
    private final List<String> messages = new CopyOnWriteArrayList<>();

    public LoggedMessages(String className) {
        logger = (Logger) LoggerFactory.getLogger(className);
        setContext(logger.getLoggerContext());
        start();
        logger.addAppender(this);
    }

    @Override
    protected void append(ILoggingEvent event) {
        messages.add(event.getFormattedMessage());
    }

    public boolean has(String part) {
        return messages.stream().anyMatch(message -> message.contains(part));
    }

    @Override
    public void close() {
        logger.detachAppender(this);
    }
}
