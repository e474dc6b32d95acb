package org.alder.server.simulation;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import com.unboundid.asn1.ASN1Boolean;
import com.unboundid.asn1.ASN1Element;
import com.unboundid.asn1.ASN1Integer;
import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.asn1.ASN1Sequence;
import com.unboundid.ldap.protocol.AbandonRequestProtocolOp;
import com.unboundid.ldap.protocol.AddRequestProtocolOp;
import com.unboundid.ldap.protocol.BindRequestProtocolOp;
import com.unboundid.ldap.protocol.BindResponseProtocolOp;
import com.unboundid.ldap.protocol.DeleteRequestProtocolOp;
import com.unboundid.ldap.protocol.ExtendedRequestProtocolOp;
import com.unboundid.ldap.protocol.ExtendedResponseProtocolOp;
import com.unboundid.ldap.protocol.GenericResponseProtocolOp;
import com.unboundid.ldap.protocol.LDAPMessage;
import com.unboundid.ldap.protocol.ModifyRequestProtocolOp;
import com.unboundid.ldap.protocol.ProtocolOp;
import com.unboundid.ldap.protocol.SearchRequestProtocolOp;
import com.unboundid.ldap.protocol.SearchResultEntryProtocolOp;
import com.unboundid.ldap.protocol.UnbindRequestProtocolOp;
import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.DereferencePolicy;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.EntryChangeNotificationControl;
import com.unboundid.ldap.sdk.controls.PersistentSearchRequestControl;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.alder.partition.testing.Simulation;
import org.alder.server.SimulatedServer;
import org.alder.server.TestServer;
import org.alder.server.wire.SimulatedSocket;

/** A client of a simulation: what it asks follows from the seed, and what it is answered is held against what it may be. */
final class SimulatedClient implements SimulatedSocket.Client {
    private static final String WHO_AM_I = "1.3.6.1.4.1.4203.1.11.3";
    private static final String CANCEL = "1.3.6.1.1.8";
    private static final String START_TLS = "1.3.6.1.4.1.1466.20037";
    private static final int NO_IDENTITY = 50;
    private static final int CANCELED = 118;
    private static final long NOT_YET = Long.MAX_VALUE;
    /** Results of what was not even begun, which say nothing of whoever asked. */
    private static final Set<Integer> REFUSALS = Set.of(2, 11, 51, 52);

    /** What was asked. */
    enum Kind {
        BIND, WHO_AM_I, ADD, MODIFY, DELETE, SEARCH, FOLLOW, CANCEL, START_TLS
    }

    /** One request, and what has come of it. */
    static final class Asked {
        final int id;
        final Kind kind;
        /** The bind before it, or null. */
        final Asked bind;
        /** Of a bind: as whom; of an update: the entry; of a search: its base. */
        final String name;
        /** Whether it was sent when nothing more might be done. */
        boolean behindEnd;
        long abandonedAt = NOT_YET;
        boolean canceled;
        /** The result, or null. */
        Integer result;
        int entries;
        final List<ToldChange> told = new ArrayList<>();

        Asked(int id, Kind kind, Asked bind, String name) {
            this.id = id;
            this.kind = kind;
            this.bind = bind;
            this.name = name;
        }

        /** Who asks, once the bind before has ended. */
        String identity() {
            return bind == null || bind.result == null || bind.result != 0 ? "" : bind.name;
        }

        boolean isAbandoned() {
            return abandonedAt != NOT_YET;
        }

        @Override
        public String toString() {
            return kind + " " + id + " " + name + " result " + result + (isAbandoned() ? " abandoned" : "") + (canceled ? " canceled" : "");
        }
    }

    /** A change as a follower was told it. */
    record ToldChange(long sequence, String kind, String dn) {
    }

    private record Trigger(long bytes, Runnable action) {
    }

    private final int number;
    private final Simulation simulation;
    private final SplittableRandom random;
    private final LongSupplier workBegan;
    private SimulatedSocket socket;
    private final Map<Integer, Asked> open = new TreeMap<>();
    private final List<Asked> all = new ArrayList<>();
    private final List<Trigger> triggers = new ArrayList<>();
    private byte[] rest = {};
    private int lastId;
    private int added;
    private long sentBytes;
    private Asked lastBind;
    private boolean saidEnd;
    /** Whether the server may end the connection. */
    private boolean mayEnd;
    /** Whether the end was told, or everything that was asked before it was done. */
    private boolean over;
    private boolean noticed;

    /** @param workBegan when the piece of work began that the server does now */
    SimulatedClient(int number, Simulation simulation, LongSupplier workBegan) {
        this.number = number;
        this.simulation = simulation;
        this.random = simulation.random().split();
        this.workBegan = workBegan;
    }

    void connected(SimulatedSocket to) {
        socket = to;
    }

    SimulatedSocket socket() {
        return socket;
    }

    List<Asked> asked() {
        return all;
    }

    void mayEnd() {
        mayEnd = true;
    }

    /** Asks for this and that. */
    void work() {
        int actions = 3 + random.nextInt(20);
        for (int i = 0; i < actions && !socket.hasEnded(); i++) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            for (int pipelined = random.nextInt(3) == 0 ? 1 + random.nextInt(4) : 1; pipelined > 0; pipelined--) {
                act(out);
            }
            sendInParts(out.toByteArray());
            int wait = random.nextInt(4);
            if (wait == 0) {
                simulation.pause(1 + random.nextInt(50_000));
            } else if (wait == 1 && socket.unreadBytes() == 0) {
                simulation.await("until all is answered", () -> open.values().stream().allMatch(each -> each.kind == Kind.FOLLOW), 1_000_000);
            }
        }
        socket.setClientReading(true);
        int end = random.nextInt(8);
        if (end == 0) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            unbind(out);
            sendInParts(out.toByteArray());
        } else if (end == 1) {
            vanish();
        }
    }

    private void sendInParts(byte[] bytes) {
        if (bytes.length > 1 && random.nextInt(6) == 0) {
            int cut = 1 + random.nextInt(bytes.length - 1);
            socket.send(Arrays.copyOf(bytes, cut));
            simulation.pause(1 + random.nextInt(20_000));
            socket.send(Arrays.copyOfRange(bytes, cut, bytes.length));
        } else {
            socket.send(bytes);
        }
        simulation.step("client sends");
    }

    private void act(ByteArrayOutputStream out) {
        int choice = random.nextInt(100);
        if (choice < 14) {
            bind(out);
        } else if (choice < 30) {
            ask(out, Kind.WHO_AM_I, "", new ExtendedRequestProtocolOp(WHO_AM_I, null));
        } else if (choice < 48) {
            update(out);
        } else if (choice < 62) {
            search(out);
        } else if (choice < 76) {
            follow(out);
        } else if (choice < 88) {
            giveUp(out);
        } else if (choice < 96) {
            socket.setClientReading(random.nextBoolean());
        } else if (choice < 98) {
            ask(out, Kind.START_TLS, "", new ExtendedRequestProtocolOp(START_TLS, null));
        } else if (random.nextInt(3) == 0) {
            unbind(out);
        }
    }

    private Asked ask(ByteArrayOutputStream out, Kind kind, String name, ProtocolOp operation, Control... controls) {
        Asked asked = new Asked(++lastId, kind, lastBind, name);
        asked.behindEnd = saidEnd;
        open.put(asked.id, asked);
        all.add(asked);
        send(out, asked.id, operation, controls);
        return asked;
    }

    private void send(ByteArrayOutputStream out, int id, ProtocolOp operation, Control... controls) {
        byte[] bytes = new LDAPMessage(id, operation, controls).encode().encode();
        out.writeBytes(bytes);
        sentBytes += bytes.length;
    }

    private void bind(ByteArrayOutputStream out) {
        int who = random.nextInt(6);
        String name = who == 0 ? "" : who == 1 ? TestServer.ADMIN : TestServer.userDn(1 + random.nextInt(2));
        String password = who == 0 ? "" : who == 1 ? TestServer.ADMIN_PASSWORD : who == 2 ? "wrong" : TestServer.USER_PASSWORD;
        lastBind = ask(out, Kind.BIND, name, new BindRequestProtocolOp(name, password));
    }

    private void update(ByteArrayOutputStream out) {
        String parent = random.nextInt(4) == 0 ? SimulatedServer.SECRET : SimulatedServer.OPEN;
        int what = random.nextInt(6);
        if (what < 3) {
            String cn = "c" + number + "." + ++added;
            String dn = "cn=" + cn + "," + parent;
            ask(out, Kind.ADD, dn, new AddRequestProtocolOp(dn, List.of(new Attribute("objectClass", "device"), new Attribute("cn", cn),
                    new Attribute("description", "y".repeat(random.nextInt(600) + 1)))));
        } else {
            String dn = random.nextBoolean() ? "cn=old." + (1 + random.nextInt(8)) + "," + SimulatedServer.OPEN
                    : "cn=c" + number + "." + (1 + random.nextInt(added + 1)) + "," + parent;
            if (what < 5) {
                ask(out, Kind.MODIFY, dn, new ModifyRequestProtocolOp(dn, List.of(new Modification(ModificationType.REPLACE, "serialNumber",
                        "" + random.nextInt()))));
            } else {
                ask(out, Kind.DELETE, dn, new DeleteRequestProtocolOp(dn));
            }
        }
    }

    private static SearchRequestProtocolOp search(String base, Filter filter) {
        return new SearchRequestProtocolOp(base, SearchScope.SUB, DereferencePolicy.NEVER, 0, 0, false, filter, List.of("*"));
    }

    private void search(ByteArrayOutputStream out) {
        // The second one is for workers: it may have to look at everything.
        Filter filter = random.nextBoolean() ? Filter.createPresenceFilter("objectClass") : Filter.createSubstringFilter("description",
                null, new String[] {"x"}, null);
        ask(out, Kind.SEARCH, TestServer.SUFFIX, search(TestServer.SUFFIX, filter));
    }

    private void follow(ByteArrayOutputStream out) {
        String base = random.nextBoolean() ? TestServer.SUFFIX : random.nextInt(3) == 0 ? SimulatedServer.SECRET : SimulatedServer.OPEN;
        ASN1Element value = new ASN1Sequence(new ASN1Integer(15), new ASN1Boolean(true), new ASN1Boolean(true));
        ask(out, Kind.FOLLOW, base, search(base, Filter.createPresenceFilter("objectClass")),
                new Control(PersistentSearchRequestControl.PERSISTENT_SEARCH_REQUEST_OID, true, new ASN1OctetString(value.encode())));
    }

    private void giveUp(ByteArrayOutputStream out) {
        List<Asked> some = open.values().stream().filter(each -> EnumSet.of(Kind.SEARCH, Kind.FOLLOW).contains(each.kind)).toList();
        if (some.isEmpty()) {
            return;
        }
        Asked asked = some.get(random.nextInt(some.size()));
        if (random.nextInt(3) == 0) {
            asked.canceled = true;
            ask(out, Kind.CANCEL, "" + asked.id, new ExtendedRequestProtocolOp(CANCEL, new ASN1OctetString(new ASN1Sequence(
                    new ASN1Integer(asked.id)).encode())));
        } else {
            send(out, ++lastId, new AbandonRequestProtocolOp(asked.id));
            triggers.add(new Trigger(sentBytes, () -> asked.abandonedAt = Math.min(asked.abandonedAt, simulation.steps())));
        }
    }

    private void unbind(ByteArrayOutputStream out) {
        send(out, ++lastId, new UnbindRequestProtocolOp());
        saidEnd = true;
        mayEnd = true;
    }

    private void vanish() {
        mayEnd = true;
        socket.vanish();
    }

    @Override
    public void processed(long bytes) {
        for (Trigger trigger : List.copyOf(triggers)) {
            if (bytes >= trigger.bytes) {
                trigger.action.run();
                triggers.remove(trigger);
            }
        }
    }

    /** The server takes an error for a fault of its own, and goes on: so the simulation is told. */
    @Override
    public void written(byte[] bytes) {
        try {
            read(bytes);
        } catch (AssertionError e) {
            simulation.fail(e);
            throw e;
        }
    }

    private void read(byte[] bytes) {
        rest = concat(rest, bytes);
        try {
            int used = 0;
            while (used < rest.length) {
                int length = messageLength(used);
                if (length < 0 || used + length > rest.length) {
                    break;
                }
                answered(LDAPMessage.decode(ASN1Element.decode(Arrays.copyOfRange(rest, used, used + length)).decodeAsSequence()));
                used += length;
            }
            rest = Arrays.copyOfRange(rest, used, rest.length);
        } catch (LDAPException | com.unboundid.asn1.ASN1Exception e) {
            throw new AssertionError("client " + number + " was sent what is no message", e);
        }
    }

    private int messageLength(int from) {
        if (rest.length - from < 2) {
            return -1;
        }
        int first = rest[from + 1] & 0xFF;
        int count = first < 0x80 ? 0 : first & 0x7F;
        if (rest.length - from < 2 + count) {
            return -1;
        }
        int length = count == 0 ? first : 0;
        for (int i = 0; i < count; i++) {
            length = length << 8 | rest[from + 2 + i] & 0xFF;
        }
        return 2 + count + length;
    }

    private static byte[] concat(byte[] one, byte[] other) {
        byte[] both = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, both, one.length, other.length);
        return both;
    }

    private void answered(LDAPMessage message) throws LDAPException {
        simulation.note("answers " + message.getMessageID() + " of client " + number + " by " + message.getProtocolOpType());
        assertTrue(this + " is told more after the notice of disconnection: " + message, !noticed);
        if (message.getMessageID() == 0) {
            noticed = true;
            assertTrue(this + " is told to go for no reason: " + message, mayEnd);
            return;
        }
        Asked asked = open.get(message.getMessageID());
        assertNotNull(this + " is answered what it has not asked, or once more: " + message, asked);
        assertTrue(this + ": the search was abandoned, and work that began later answers it: " + message,
                asked.canceled || workBegan.getAsLong() <= asked.abandonedAt);
        ProtocolOp operation = message.getProtocolOp();
        if (operation instanceof SearchResultEntryProtocolOp entry) {
            asked.entries++;
            if (asked.kind == Kind.FOLLOW) {
                noteChange(asked, entry, message.getControls());
            }
        } else {
            ended(asked, operation);
        }
    }

    private static void noteChange(Asked asked, SearchResultEntryProtocolOp entry, List<Control> controls) throws LDAPException {
        EntryChangeNotificationControl change = new EntryChangeNotificationControl(EntryChangeNotificationControl.ENTRY_CHANGE_NOTIFICATION_OID,
                false, controls.get(0).getValue());
        asked.told.add(new ToldChange(change.getChangeNumber(), change.getChangeType().getName(), entry.getDN()));
    }

    private static Integer result(ProtocolOp operation) {
        return operation instanceof GenericResponseProtocolOp generic ? (Integer) generic.getResultCode()
                : operation instanceof BindResponseProtocolOp bind ? (Integer) bind.getResultCode()
                : operation instanceof ExtendedResponseProtocolOp extended ? extended.getResultCode() : null;
    }

    private void ended(Asked asked, ProtocolOp operation) {
        open.remove(asked.id);
        asked.result = result(operation);
        assertNotNull(this + ": an answer without a result: " + operation, asked.result);
        assertTrue(this + ": done though it came behind the end: " + asked, !asked.behindEnd);
        int result = asked.result;
        assertTrue(this + ": a fault: " + asked + " " + operation, result != 80);
        if (asked.kind == Kind.BIND) {
            assertTrue(this + ": " + asked, result == 0 || result == 49 || REFUSALS.contains(result));
            // What is not complete when a bind comes is abandoned (RFC 4511 4.2.1).
            open.values().stream().filter(each -> each.id < asked.id && each.kind == Kind.FOLLOW)
                    .forEach(each -> each.abandonedAt = Math.min(each.abandonedAt, simulation.steps()));
        } else if (asked.kind == Kind.WHO_AM_I && result == 0) {
            String told = ((ExtendedResponseProtocolOp) operation).getResponseValue().stringValue();
            assertEquals(this + ": who it is in request " + asked.id, asked.identity().isEmpty() ? "" : "dn:" + asked.identity(), told);
        } else if (EnumSet.of(Kind.ADD, Kind.MODIFY, Kind.DELETE).contains(asked.kind)) {
            boolean may = asked.identity().equals(TestServer.ADMIN)
                    || !asked.identity().isEmpty() && asked.name.endsWith(SimulatedServer.OPEN);
            assertTrue(this + ": as \"" + asked.identity() + "\" it did " + asked, may || result != 0);
            assertTrue(this + ": as \"" + asked.identity() + "\" it was refused " + asked, !may || result != NO_IDENTITY);
        } else if (result == CANCELED && asked.kind != Kind.CANCEL) {
            assertTrue(this + ": nobody has canceled " + asked, asked.canceled);
        }
    }

    /** Whether what the client sends is of no use any more. */
    boolean isOver() {
        return over || socket.hasEnded();
    }

    /** When nothing goes on any more, each request has its answer, or the connection has ended and was to. */
    void requireAnswered() {
        if (socket.hasEnded()) {
            assertTrue(this + ": the connection has ended for no reason", mayEnd);
            return;
        }
        assertTrue(this + " has said that it goes, and is still there", !saidEnd);
        assertTrue(this + " is not read, with " + socket.unreadBytes() + " bytes unread", !socket.isHeld() && socket.unreadBytes() == 0);
        for (Asked asked : open.values()) {
            assertTrue(this + ": nobody answers " + asked, asked.kind == Kind.FOLLOW || asked.isAbandoned());
        }
    }

    /** The searches that are followed, of which it has not been told the end. */
    List<Asked> following() {
        return open.values().stream().filter(each -> each.kind == Kind.FOLLOW && !each.isAbandoned()).toList();
    }

    @Override
    public String toString() {
        return "client " + number;
    }
}
