package org.alder.server.wire;

import static org.junit.Assert.assertEquals;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.LongAdder;
import org.alder.partition.testing.Requirement;
import org.alder.server.resource.MemoryBudget;
import org.apache.mina.core.session.DummySession;
import org.junit.Test;

public class PasswordsInClearTest {
    private static boolean accepts(String address, PlaintextBind inClear) throws Exception {
        WireSettings settings = WireSettings.of("127.0.0.1", 0);
        return new Connection(new DummySession(), settings, settings.listeners().get(0).withPlaintextBind(inClear),
                Remote.of(new InetSocketAddress(InetAddress.getByName(address), 5)),
                new MemoryBudget("unread", 1000), new LongAdder()).acceptsPasswords();
    }

    @Test
    @Requirement(rfc = 4513, section = "6.3", text = "A server can refuse names and passwords on a connection that is not protected")
    public void passwordsAreTakenInClearFromThisMachineAlone() throws Exception {
        for (String here : new String[] {"127.0.0.1", "127.9.8.7", "::1", "::ffff:127.0.0.1"}) {
            assertEquals(here, true, accepts(here, PlaintextBind.LOCAL));
            assertEquals(here + " with plaintextBind: none", false, accepts(here, PlaintextBind.NONE));
        }
        for (String elsewhere : new String[] {"192.0.2.1", "10.0.0.1", "2001:db8::1", "0.0.0.0"}) {
            assertEquals(elsewhere, false, accepts(elsewhere, PlaintextBind.LOCAL));
            assertEquals(elsewhere + " with plaintextBind: all", true, accepts(elsewhere, PlaintextBind.ALL));
        }
    }
}
