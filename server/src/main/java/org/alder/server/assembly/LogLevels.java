package org.alder.server.assembly;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.alder.server.config.LogLevelLine;
import org.slf4j.LoggerFactory;

/** How much the log says while a server runs. One thread at a time. */
final class LogLevels {
    /** As they were before a configuration said something of them; null for what holds of the package around. */
    private final Map<Logger, Level> before = new HashMap<>();

    /** These hold, and of all others what held before; nothing happens where another library writes the log. */
    void set(List<LogLevelLine> lines) {
        before.forEach(Logger::setLevel);
        before.clear();
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            for (LogLevelLine line : lines) {
                Logger logger = context.getLogger(line.logger());
                before.put(logger, logger.getLevel());
                logger.setLevel(Level.toLevel(line.level().name()));
            }
        }
    }
}
