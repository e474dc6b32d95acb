package org.alder.server.console;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.alder.partition.testing.Await;
import org.alder.server.client.LdapCall;
import org.alder.server.extended.WhoAmI;
import org.alder.server.resource.Counters;
import org.alder.server.resource.MemoryBudget;
import org.alder.server.wire.Acceptor;
import org.alder.server.wire.Talker;
import org.alder.server.wire.WireSettings;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** Sessions of the console end when their time is over, and there are no more than there may be. */
public class ConsoleSessionsTest {
    private final AtomicLong clock = new AtomicLong();
    private final ConsoleSessions sessions = new ConsoleSessions(clock::get);
    private Acceptor acceptor;

    @Before
    public void start() throws IOException {
        acceptor = Acceptor.start(() -> WireSettings.of("127.0.0.1", 0), connection -> new Talker(connection, (told, message) -> told.closeAfterWrites()), new MemoryBudget("unfinished", 1 << 20),
                new MemoryBudget("unread", 1 << 20), new Counters());
    }

    @After
    public void stop() {
        sessions.close();
        acceptor.close();
    }

    private LdapClient client() {
        return new LdapClient(answers -> acceptor.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 7), null, answers));
    }

    private ConsoleSessions.Begun begin(String identity) throws ConsoleException {
        return sessions.begin(identity, client());
    }

    private void pass(long minutes) {
        clock.addAndGet(TimeUnit.MINUTES.toNanos(minutes));
    }

    @Test
    public void aSessionThatNobodyUsesEnds() throws Exception {
        ConsoleSessions.Begun begun = begin("dn:uid=a");
        assertEquals(begun.session(), sessions.find(begun.token(), true));
        assertNull("tokens are not kept", sessions.find(begun.session().csrfToken(), true));
        pass(ConsoleSessions.IDLE_MINUTES - 1);
        assertNotNull("a page that is open is no use", sessions.find(begun.token(), false));
        pass(1);
        assertNull(sessions.find(begun.token(), true));
        assertEquals(0, sessions.count());
        assertFalse("and its connection", begun.session().client().isOpen());
    }

    @Test
    public void aSessionThatIsUsedEndsAfterItsLife() throws Exception {
        ConsoleSessions.Begun begun = begin("dn:uid=a");
        for (int minutes = 10; minutes < TimeUnit.HOURS.toMinutes(ConsoleSessions.LIFE_HOURS); minutes += 10) {
            pass(10);
            assertNotNull(sessions.find(begun.token(), true));
        }
        pass(10);
        assertNull(sessions.find(begun.token(), true));
    }

    @Test
    public void aSessionEndsWithItsConnection() throws Exception {
        ConsoleSessions.Begun begun = begin("dn:uid=a");
        ConsoleException gone = assertThrows(ConsoleException.class, () -> begun.session().client().ask(LdapCall.extended(WhoAmI.OID, null)));
        assertEquals(ConsoleException.NOT_LOGGED_IN, gone.status());
        Await.until("the session to end", () -> sessions.find(begun.token(), true) == null);
    }

    @Test
    public void thereAreNoMoreThanThereMayBe() throws Exception {
        List<ConsoleSessions.Begun> own = new ArrayList<>();
        for (int i = 0; i < ConsoleSessions.MOST_OF_IDENTITY; i++) {
            own.add(begin("dn:uid=own"));
            pass(1);
        }
        assertNotNull(sessions.find(own.get(0).token(), true));
        begin("dn:uid=own");
        assertNotNull(sessions.find(own.get(0).token(), true));
        assertNull("the one that was used the longest time ago", sessions.find(own.get(1).token(), true));
        for (int i = sessions.count(); i < ConsoleSessions.MOST; i++) {
            begin("dn:uid=" + i);
        }
        LdapClient refused = client();
        ConsoleException tooMany = assertThrows(ConsoleException.class, () -> sessions.begin("dn:uid=other", refused));
        assertEquals(ConsoleException.UNAVAILABLE, tooMany.status());
        assertFalse(refused.isOpen());
        assertEquals(ConsoleSessions.MOST, sessions.count());
        assertNotEquals(begin("dn:uid=own").token(), begin("dn:uid=own").token());
    }

    @Test
    public void afterTheEndThereAreNone() throws Exception {
        LdapClient open = begin("dn:uid=a").session().client();
        sessions.close();
        assertFalse(open.isOpen());
        assertThrows(ConsoleException.class, () -> begin("dn:uid=a"));
        assertTrue(sessions.count() == 0);
    }
}
