package org.alder.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.SearchResultEntry;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.testing.Await;
import org.alder.server.control.search.ContentSync;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Servers that a partition follows and that say what they must not: nothing of it is taken, and following says why. */
public class HostileProviderTest {
    private static final String BASE = TestServer.SUFFIX;
    private static final byte[] UUID = new byte[16];

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    /** Takes every login, and answers a search that synchronizes with these bytes. */
    private static final class Provider implements Closeable {
        private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final byte[][] script;

        Provider(byte[]... script) throws IOException {
            this.script = script;
            Await.THREADS.execute(this::accept);
        }

        private void accept() {
            while (!listener.isClosed()) {
                try {
                    Socket client = listener.accept();
                    Await.THREADS.execute(() -> answer(client));
                } catch (IOException e) {
                    return;
                }
            }
        }

        private void answer(Socket client) {
            try (client) {
                DataInputStream in = new DataInputStream(client.getInputStream());
                OutputStream out = client.getOutputStream();
                while (true) {
                    in.readUnsignedByte();
                    int length = in.readUnsignedByte();
                    length = length <= 0x80 ? length : length == 0x81 ? in.readUnsignedByte() : in.readUnsignedShort();
                    BerReader request = new BerReader(in.readNBytes(length));
                    int id = request.readInt(BerWriter.INTEGER);
                    if (request.peekTag() == 0x63 && new String(Arrays.copyOfRange(request.readBytes(0x63), 0, 40), StandardCharsets.ISO_8859_1).contains(BASE)) {
                        for (byte[] each : script) {
                            out.write(withId(each, id));
                        }
                    } else {
                        out.write(message(id, 0x61, new byte[] {10, 1, 0, 4, 0, 4, 0}, null));
                    }
                    out.flush();
                }
            } catch (Exception e) {
                // The client has gone.
            }
        }

        /** The script's messages are of the request 99. */
        private static byte[] withId(byte[] message, int id) {
            byte[] same = message.clone();
            for (int i = 0; i + 2 < same.length && i < 8; i++) {
                if (same[i] == 2 && same[i + 1] == 1 && same[i + 2] == 99) {
                    same[i + 2] = (byte) id;
                    return same;
                }
            }
            return same;
        }

        int port() {
            return listener.getLocalPort();
        }

        @Override
        public void close() throws IOException {
            listener.close();
        }
    }

    /** @param control the value of a sync state control; null for none */
    private static byte[] message(int id, int tag, byte[] content, byte[] control) {
        BerWriter out = new BerWriter(256);
        int message = out.begin(BerWriter.SEQUENCE);
        out.integer(BerWriter.INTEGER, id);
        out.octets(tag, content);
        if (control != null) {
            int all = out.begin(0xA0);
            int one = out.begin(BerWriter.SEQUENCE);
            out.string(BerWriter.OCTET_STRING, ContentSync.STATE_OID);
            out.octets(BerWriter.OCTET_STRING, control);
            out.end(one);
            out.end(all);
        }
        out.end(message);
        return out.toByteArray();
    }

    private static byte[] state(int state, byte[] uuid, byte[] cookie) {
        BerWriter out = new BerWriter(64);
        int sequence = out.begin(BerWriter.SEQUENCE);
        out.integer(BerWriter.ENUMERATED, state);
        out.octets(BerWriter.OCTET_STRING, uuid);
        if (cookie != null) {
            out.octets(BerWriter.OCTET_STRING, cookie);
        }
        out.end(sequence);
        return out.toByteArray();
    }

    private static byte[] entry(String dn, byte[] state, String... lines) {
        BerWriter out = new BerWriter(256);
        out.string(BerWriter.OCTET_STRING, dn);
        int list = out.begin(BerWriter.SEQUENCE);
        for (String line : lines) {
            int attribute = out.begin(BerWriter.SEQUENCE);
            out.string(BerWriter.OCTET_STRING, line.substring(0, line.indexOf(':')));
            int set = out.begin(BerWriter.SET);
            out.string(BerWriter.OCTET_STRING, line.substring(line.indexOf(':') + 2));
            out.end(set);
            out.end(attribute);
        }
        out.end(list);
        return message(99, 0x64, out.toByteArray(), state);
    }

    private static byte[] info(byte[] value) {
        BerWriter out = new BerWriter(256);
        out.string(0x80, ContentSync.INFO_OID);
        out.octets(0x81, value);
        return message(99, 0x79, out.toByteArray(), null);
    }

    private static byte[] uuid(int number) {
        byte[] uuid = UUID.clone();
        uuid[15] = (byte) number;
        return uuid;
    }

    private static byte[] device(int number, String dn) {
        return entry(dn, state(1, uuid(number), null), "objectClass: device", "cn: " + dn.substring(3, dn.indexOf(',')));
    }

    private static byte[] suffix() {
        return entry(BASE, state(1, uuid(100), null), "objectClass: domain", "dc: example");
    }

    /** What following gives as the reason, in a copy that has no more than these entries. */
    private void assertRefused(String reason, int entries, byte[]... script) throws Exception {
        byte[][] ended = Arrays.copyOf(script, script.length + 1);
        ended[script.length] = info(new byte[] {(byte) 0xA2, 0});
        try (Provider provider = new Provider(ended); ConfiguredServer copy = ConfiguredServer.start(folder.newFolder().toPath(),
                ConfiguredServer.SERVER + ConfiguredServer.PARTITION + "followProvider: ldap://127.0.0.1:" + provider.port() + "\nfollowRetrySeconds: 1\n");
                LDAPConnection ours = copy.admin()) {
            Await.value("following to say " + reason, () -> String.valueOf(figure(ours, "alderFollowReason")), said -> said.contains(reason));
            assertEquals("FALSE", figure(ours, "alderFollowRefreshed"));
            assertTrue(Integer.parseInt(figure(ours, "alderEntries")) <= entries);
        }
    }

    private static String figure(LDAPConnection copy, String name) throws LDAPException {
        SearchResultEntry entry = copy.getEntry("cn=partition-1,cn=Monitor");
        return entry.getAttributeValue(name);
    }

    @Test
    public void takesNoEntriesBesideTheBase() throws Exception {
        assertRefused("is not below \"" + BASE, 0, device(1, "cn=a,dc=other"));
        assertRefused("cannot be stored", 0, device(1, "cn=a,,,"));
        assertRefused("is told to be", 1, suffix(), device(100, "cn=a," + BASE));
        assertRefused("is told to be", 2, suffix(), device(2, "cn=a," + BASE), entry(BASE, state(1, uuid(2), null), "objectClass: domain", "dc: example"));
    }

    @Test
    public void takesNothingThatIsNoSynchronization() throws Exception {
        assertRefused("without the control", 0, entry(BASE, null, "objectClass: domain", "dc: example"));
        assertRefused("sync state 9", 0, entry(BASE, state(9, uuid(1), null), "objectClass: domain", "dc: example"));
        assertRefused("entryUUID of 5 bytes", 0, entry(BASE, state(1, new byte[5], null), "objectClass: domain", "dc: example"));
        assertRefused("cookie of 20000 bytes", 0, entry(BASE, state(1, uuid(1), new byte[20_000]), "objectClass: domain", "dc: example"));
        assertRefused("sync info message of tag", 0, info(new byte[] {4, 0}));
        assertRefused("entryUUID of 1 bytes", 0, info(new byte[] {(byte) 0xA3, 8, 1, 1, -1, 0x31, 3, 4, 1, 0}));
        assertRefused("", 0, info(new byte[] {(byte) 0xA3, 100, 1, 1}));
    }

    @Test
    public void readsNoMessageBeyondALimit() throws Exception {
        assertRefused("length beyond", 0, new byte[] {0x30, (byte) 0x84, 0x7F, -1, -1, -1, 2, 1, 99});
        assertRefused("of tag 4", 0, new byte[] {4, 3, 1, 1, 1});
    }

    @Test
    public void makesUpNoMoreThanSomeEntriesAboveOne() throws Exception {
        String deep = "cn=x," + "ou=d,".repeat(100) + BASE;
        assertRefused("entries above an entry were not told", 0, device(1, deep));
    }

    @Test
    public void refusesTwoEntriesOfOneName() throws Exception {
        byte[] done = info(new byte[] {(byte) 0xA2, 3, 4, 1, 'c'});
        try (Provider provider = new Provider(suffix(), device(1, "cn=a," + BASE), device(2, "cn=a," + BASE), done);
                ConfiguredServer copy = ConfiguredServer.start(folder.newFolder().toPath(), ConfiguredServer.SERVER + ConfiguredServer.PARTITION
                        + "followProvider: ldap://127.0.0.1:" + provider.port() + "\n"); LDAPConnection ours = copy.admin()) {
            Await.until("a refresh", () -> "following".equals(figure(ours, "alderFollowState")));
            assertEquals("no cookie is noted of what contradicts itself", List.of(), List.of(ours.getEntry(BASE, "alderFollowCookie").getAttributes().toArray()));
        }
    }

    @Test
    public void saysWhichDefinitionsAreMissing() throws Exception {
        assertRefused("has what the schema has not: nosuchtype", 0, entry(BASE, state(1, uuid(1), null), "objectClass: domain", "dc: example", "noSuchType: x"));
    }

    @Test
    public void treatsUnknownEntriesThatAreUnchangedAsAReasonToBeginAnew() throws Exception {
        assertRefused("of 1 entry that the copy does not have", 1, suffix(), entry("", state(0, uuid(7), null)));
    }
}
