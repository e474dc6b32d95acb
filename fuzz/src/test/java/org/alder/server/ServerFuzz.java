package org.alder.server;

import static org.junit.Assert.assertTrue;

import com.unboundid.asn1.ASN1StreamReader;
import com.unboundid.ldap.protocol.BindRequestProtocolOp;
import com.unboundid.ldap.protocol.LDAPMessage;
import com.unboundid.ldap.sdk.LDAPException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.alder.fuzz.Named;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.index.AttributeIndexer;
import org.alder.partition.index.IndexDefinition;
import org.alder.partition.index.IndexKind;
import org.alder.partition.memory.MemoryStore;
import org.alder.partition.schema.Schema;
import org.alder.partition.testing.Await;
import org.alder.partition.update.UpdateOrigin;
import org.alder.partition.update.Updates;
import org.alder.server.auth.Administrator;
import org.alder.server.auth.NewPasswordScheme;
import org.alder.server.auth.PasswordSettings;
import org.alder.server.wire.SocketlessClient;

/**
 * A whole server: whatever a client sends, it is answered in LDAP, nothing of it is a fault of the server, and nothing of it is held
 * when the client is gone. What inputs change stays for those after them, until it is so much that a new server begins.
 */
public final class ServerFuzz {
    static final String SUFFIX = "dc=example,dc=com";
    static final String ADMIN = "cn=Directory Manager";
    static final int BIND_ID = 1000;
    private static final String PASSWORD = "secret";
    /** Of inputs that changed something: so little is kept that what one input can ask for is bounded. */
    private static final int MOST_KEPT_BYTES = 16 << 10;
    /** Short: a search that is told changes goes on for ever, and any client may leave before its answers. */
    private static final long PATIENCE_NANOS = 10_000_000;
    private static final long PAUSE_NANOS = 20_000;

    private static final Schema SCHEMA = Schema.load(Stream.of("access", "account-access", "dyngroup", "memberof", "ppolicy", "rfc2307bis")
            .map(name -> Path.of("../conf/schema", name + ".ldif")).toList());

    private static AlderServer server;
    private static SocketlessClient.Entrance entrance;
    private static Partition partition;
    private static int keptBytes;

    private ServerFuzz() {
    }

    /** A line that says who the client is, {@code user}, {@code administrator} or anything else for nobody, then what it sends. */
    public static void session(byte[] input) throws Exception {
        Named session = Named.of(input);
        if (session.rest() != null) {
            answers(session.name().equals("user") ? "uid=user.1," + SUFFIX : session.name().equals("administrator") ? ADMIN : null,
                    session.rest(), PATIENCE_NANOS);
        }
    }

    /**
     * @param bound who has bound before, with the message ID {@value #BIND_ID}, or null
     * @param patienceNanos how long to wait for the answers
     */
    static List<LDAPMessage> answers(String bound, byte[] sent, long patienceNanos) throws Exception {
        if (server == null || keptBytes > MOST_KEPT_BYTES) {
            restart();
        }
        long before = partition.store().sequence();
        List<LDAPMessage> answers;
        try (SocketlessClient client = entrance.connect()) {
            if (bound != null) {
                client.send(new LDAPMessage(BIND_ID, new BindRequestProtocolOp(bound, PASSWORD)).encode().encode());
            }
            client.send(sent);
            await(client::hasAllAnswers, patienceNanos);
            answers = messages(client.answers());
        }
        keptBytes += partition.store().sequence() == before ? 0 : sent.length;
        requireNothingHeld();
        return answers;
    }

    /** Mostly it is so at once, or nearly: a thousandth of a second would be as long as all else. */
    private static void requireNothingHeld() throws Exception {
        await(ServerFuzz::isNothingHeld, PATIENCE_NANOS);
        Await.until("the connection to be closed, and nothing to be held for a client that is gone", ServerFuzz::isNothingHeld);
    }

    private static boolean isNothingHeld() {
        return server.service().sessionCount() == 0 && server.memory().operations().heldBytes() + server.memory().unfinished().heldBytes() == 0;
    }

    private static void await(BooleanSupplier condition, long patienceNanos) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean() && System.nanoTime() - start < patienceNanos) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private static List<LDAPMessage> messages(byte[] answers) throws IOException {
        List<LDAPMessage> messages = new ArrayList<>();
        ASN1StreamReader reader = new ASN1StreamReader(new ByteArrayInputStream(answers));
        try {
            for (LDAPMessage next = LDAPMessage.readFrom(reader, true); next != null; next = LDAPMessage.readFrom(reader, true)) {
                assertTrue(next.toString(), next.getMessageID() >= 0);
                messages.add(next);
            }
        } catch (LDAPException e) {
            if (!(e.getCause() instanceof IOException)) {
                throw new AssertionError("an answer that another library does not read", e);
            }
            // The last message may be cut off: it was being sent.
        }
        return messages;
    }

    private static void restart() throws IOException {
        if (server != null) {
            server.close();
            partition.close();
        }
        List<IndexDefinition> indexes = List.of(index("objectClass", IndexKind.EQUALITY),
                index("uid", IndexKind.EQUALITY, IndexKind.SUBSTRING), index("entryUUID", IndexKind.EQUALITY),
                index("member", IndexKind.EQUALITY, IndexKind.PRESENCE),
                index("uniqueMember", IndexKind.EQUALITY, IndexKind.PRESENCE),
                index("memberURL", IndexKind.PRESENCE), index("sn", IndexKind.EQUALITY));
        partition = new Partition(SCHEMA, dn(SUFFIX), indexes,
                new MemoryStore(new AttributeIndexer(SCHEMA, indexes)));
        Updates updates = new Updates(partition);
        add(updates, SUFFIX, "objectClass: domain", "dc: example");
        for (int i = 1; i <= 9; i++) {
            add(updates, "uid=user." + i + "," + SUFFIX, "objectClass: inetOrgPerson", "uid: user." + i, "cn: User " + i, "sn: Number" + i,
                    "userPassword: " + PASSWORD);
        }
        add(updates, "cn=group," + SUFFIX, "objectClass: groupOfNames", "cn: group", "member: uid=user.1," + SUFFIX);
        Administrator administrator = new Administrator(dn(ADMIN), PASSWORD.getBytes(StandardCharsets.UTF_8));
        ServerSettings settings = ServerSettings.of("127.0.0.1", 0, SCHEMA, List.of(partition), administrator)
                .with(draft -> draft.passwords = PasswordSettings.STANDARD.withScheme(NewPasswordScheme.SSHA512).withUpgrade(false));
        server = AlderServer.start(settings);
        entrance = new SocketlessClient.Entrance(server, settings);
        keptBytes = 0;
    }

    private static IndexDefinition index(String attribute, IndexKind... kinds) {
        return new IndexDefinition(SCHEMA.attributeType(attribute), Set.of(kinds), IndexDefinition.DEFAULT_DUPLICATE_THRESHOLD);
    }

    static Dn dn(String text) {
        return Dn.stored(SCHEMA, text);
    }

    private static void add(Updates updates, String dn, String... lines) {
        Map<String, List<byte[]>> values = new LinkedHashMap<>();
        for (String line : lines) {
            int colon = line.indexOf(": ");
            values.computeIfAbsent(line.substring(0, colon), none -> new ArrayList<>())
                    .add(line.substring(colon + 2).getBytes(StandardCharsets.UTF_8));
        }
        List<Attribute> attributes = values.entrySet().stream().map(each -> new Attribute(each.getKey(), each.getValue())).toList();
        updates.add(dn(dn), attributes, new UpdateOrigin(ADMIN, Instant.EPOCH)).join();
    }
}
