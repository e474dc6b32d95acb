package org.alder.server.cli;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.Test;

/** The logging that comes with Alder, conf/logback.xml. */
public class LogLinesTest {
    /** The name of an entry may have line ends in it. */
    @Test
    public void whatAMessageRepeatsCannotLookLikeAnotherMessage() throws Exception {
        LoggerContext context = new LoggerContext();
        JoranConfigurator configurator = new JoranConfigurator();
        configurator.setContext(context);
        configurator.doConfigure(Path.of("../conf/logback.xml").toFile());
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        ConsoleAppender<ILoggingEvent> appender = (ConsoleAppender<ILoggingEvent>) root.getAppender("stderr");
        String forged = "2026-11-22T06:24:33.394Z INFO  [main] StartVerb: stopping";
        for (String separator : new String[] {"\n", "\r", "\u0085", "\u2028", "\u202e"}) {
            LoggingEvent event = new LoggingEvent(LogLinesTest.class.getName(), root, Level.WARN, "the group {} has no members", null,
                    new Object[] {"cn=x" + separator + forged});
            String line = new String(appender.getEncoder().encode(event), StandardCharsets.UTF_8);
            assertTrue(line, line.endsWith("the group cn=x?" + forged + " has no members" + System.lineSeparator()));
            assertEquals(line, 1, line.lines().count());
        }
        context.stop();
    }
}
