package org.alder.server.resource;

import static org.junit.Assert.assertEquals;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.slf4j.LoggerFactory;

public class OverloadTest {
    private static final String SEEN = "things: 10, the mark is 10 (maxThings)";

    private final Overload overload = new Overload();
    private final AtomicLong things = new AtomicLong();
    private final AtomicLong others = new AtomicLong();
    private final Logger logger = (Logger) LoggerFactory.getLogger(Overload.class);
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
    private Level level;

    @Before
    public void start() {
        overload.mark("things", "maxThings", things::get, () -> 10);
        overload.mark("others", "maxOthers", others::get, () -> 5);
        level = logger.getLevel();
        logger.setLevel(Level.INFO);
        logged.start();
        logger.addAppender(logged);
    }

    @After
    public void stop() {
        logger.detachAppender(logged);
        logger.setLevel(level);
    }

    private List<String> lines() {
        List<String> lines = logged.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
        logged.list.clear();
        return lines;
    }

    private static long seconds(int count) {
        return TimeUnit.SECONDS.toNanos(count);
    }

    @Test
    public void theLogIsToldOnceWhenItBeginsAndOnceWhenItEnds() {
        assertEquals(List.of(), overload.look(0));
        assertEquals(List.of(), lines());
        things.set(10);
        for (int i = 1; i < 100; i++) {
            assertEquals(List.of(SEEN), overload.look(seconds(i)));
        }
        assertEquals(List.of("overload begins, new work is refused: " + SEEN), lines());
        things.set(12);
        overload.look(seconds(100));
        things.set(3);
        assertEquals("for a while it may begin again", List.of("things: 12, the mark is 10 (maxThings)"),
                overload.look(seconds(100) + Overload.CALM_NANOS - 1));
        assertEquals(List.of(), lines());
        assertEquals(List.of(), overload.look(seconds(100) + Overload.CALM_NANOS));
        assertEquals(List.of("overload ends after 99 s: things: 3, it was up to 12 (the mark is 10, maxThings)"), lines());
        things.set(10);
        assertEquals("and may begin again", List.of(SEEN), overload.look(seconds(200)));
        assertEquals(1, lines().size());
    }

    @Test
    public void whatSwingsAroundItsMarkIsOneOverload() {
        for (int i = 0; i < 1000; i++) {
            things.set(i % 2 == 0 ? 10 : 0);
            overload.look(i * Overload.CALM_NANOS / 2);
        }
        assertEquals(1, lines().size());
    }

    @Test
    public void eachMarkIsForItself() {
        things.set(10);
        others.set(5);
        assertEquals(List.of(SEEN, "others: 5, the mark is 5 (maxOthers)"), overload.look(0));
        others.set(0);
        assertEquals(List.of(SEEN), overload.look(Overload.CALM_NANOS));
        assertEquals(3, lines().size());
    }
}
