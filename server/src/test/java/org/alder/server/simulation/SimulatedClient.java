package org.alder.server.simulation;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.protocol.BindResponseProtocolOp;
import com.unboundid.ldap.protocol.ExtendedResponseProtocolOp;
import com.unboundid.ldap.protocol.GenericResponseProtocolOp;
import com.unboundid.ldap.protocol.IntermediateResponseProtocolOp;
import com.unboundid.ldap.protocol.LDAPMessage;
import com.unboundid.ldap.protocol.ProtocolOp;
import com.unboundid.ldap.protocol.SearchResultEntryProtocolOp;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.controls.EntryChangeNotificationControl;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.alder.partition.testing.Simulation;
import org.alder.server.simulation.Asked.Kind;
import org.alder.server.wire.SimulatedSocket;

/** A client of a simulation: what it asks follows from the seed, and what it is answered is held against what it may be. */
final class SimulatedClient implements SimulatedSocket.Client {
    private static final int NO_IDENTITY = 50;
    private static final int NO_SUCH_OBJECT = 32;
    private static final int CANCELED = 118;
    private static final int FAULT = 80;
    /** Results of what was not even begun, which say nothing of whoever asked. */
    private static final Set<Integer> REFUSALS = Set.of(2, 11, 51, 52);
    private static final String ABORTED = "1.3.6.1.1.21.4";

    private final int number;
    private final Simulation simulation;
    private final SplittableRandom random;
    private final Surroundings surroundings;
    private final ClientScript script;
    private final MessageReader reader = new MessageReader(this::answered);
    private SimulatedSocket socket;
    private final Map<Integer, Asked> open = new TreeMap<>();
    private final List<Asked> all = new ArrayList<>();
    private final List<SimulatedTransaction> transactions = new ArrayList<>();
    private final List<Trigger> triggers = new ArrayList<>();
    private boolean saidEnd;
    /** Whether the server may end the connection. */
    private boolean mayEnd;
    private boolean noticed;

    /** What all clients of a run have. */
    interface Surroundings {
        /** When the piece of work began that the server does now. */
        long workBegan();

        /** The newest commit. */
        long sequence();

        /** Whether the server may have forgotten what was changed. */
        boolean mayBeForgotten();

        /** Copies and readings with which somebody may go on. */
        List<SyncedContent> copies();

        List<PagedReading> readings();
    }

    private record Trigger(long bytes, Runnable action) {
    }

    SimulatedClient(int number, Simulation simulation, Surroundings surroundings) {
        this.number = number;
        this.simulation = simulation;
        this.random = simulation.random().split();
        this.surroundings = surroundings;
        this.script = new ClientScript(this, number, random, surroundings);
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

    /** What has no final answer yet. */
    List<Asked> open() {
        return List.copyOf(open.values());
    }

    List<SimulatedTransaction> transactions() {
        return transactions;
    }

    void mayEnd() {
        mayEnd = true;
    }

    /** Whether nothing can come any more. */
    boolean isGone() {
        return socket.hasEnded();
    }

    /** Asks for this and that. */
    void work() {
        int actions = 3 + random.nextInt(28);
        for (int i = 0; i < actions && !socket.hasEnded(); i++) {
            for (int pipelined = random.nextInt(3) == 0 ? 1 + random.nextInt(4) : 1; pipelined > 0; pipelined--) {
                script.act(i == 0);
            }
            sendInParts(script.takeMessages());
            int wait = random.nextInt(4);
            if (wait == 0) {
                simulation.pause(1 + random.nextInt(50_000));
            } else if (wait == 1) {
                simulation.await("until all is answered", () -> open.values().stream().allMatch(each -> each.kind.isFollowed() || each.isAbandoned()),
                        1_000_000);
            }
        }
        socket.setClientReading(true);
        int end = random.nextInt(8);
        if (end == 0) {
            script.unbind();
            sendInParts(script.takeMessages());
        } else if (end == 1) {
            mayEnd = true;
            socket.vanish();
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

    void asks(Asked asked) {
        asked.behindEnd = saidEnd;
        open.put(asked.id, asked);
        all.add(asked);
    }

    /** @param sentBytes of all messages up to the abandon */
    void abandons(Asked asked, long sentBytes) {
        triggers.add(new Trigger(sentBytes, () -> asked.abandoned(simulation.steps())));
    }

    void saysEnd() {
        saidEnd = true;
        mayEnd = true;
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
            reader.read(bytes);
        } catch (AssertionError e) {
            simulation.fail(new AssertionError(this + ": " + e.getMessage(), e));
            throw e;
        }
    }

    private void answered(LDAPMessage message) throws LDAPException {
        simulation.note("answers " + message.getMessageID() + " of client " + number + " by " + message.getProtocolOpType());
        assertTrue("told more after the notice of disconnection: " + message, !noticed);
        ProtocolOp operation = message.getProtocolOp();
        if (message.getMessageID() == 0) {
            noticed((ExtendedResponseProtocolOp) operation);
            return;
        }
        Asked asked = open.get(message.getMessageID());
        assertNotNull("answered what it has not asked, or once more: " + message, asked);
        assertTrue("the search was abandoned, and work that began later answers it: " + message,
                asked.canceled || surroundings.workBegan() <= asked.abandonedAt);
        if (operation instanceof SearchResultEntryProtocolOp entry) {
            entry(asked, entry, message.getControls());
        } else if (operation instanceof IntermediateResponseProtocolOp info) {
            asked.copy.info(asked, info);
        } else {
            ended(asked, operation, message.getControls());
        }
    }

    private void noticed(ExtendedResponseProtocolOp notice) {
        if (ABORTED.equals(notice.getResponseOID())) {
            String id = notice.getResponseValue().stringValue();
            transactions.stream().filter(each -> each.isStarted() && each.id().stringValue().equals(id)).findFirst()
                    .orElseThrow(() -> new AssertionError("told of the end of a transaction that is not there: " + notice)).aborted();
        } else {
            noticed = true;
            assertTrue("told to go for no reason: " + notice, mayEnd);
        }
    }

    private void entry(Asked asked, SearchResultEntryProtocolOp entry, List<Control> controls) throws LDAPException {
        asked.found.add(Asked.Found.of(entry));
        if (asked.kind == Kind.FOLLOW) {
            Control sent = Asked.control(controls, EntryChangeNotificationControl.ENTRY_CHANGE_NOTIFICATION_OID);
            EntryChangeNotificationControl change = new EntryChangeNotificationControl(sent.getOID(), false, sent.getValue());
            asked.told.add(new ContentHistory.ToldChange(change.getChangeNumber(), change.getChangeType().getName(), entry.getDN()));
        } else if (asked.copy != null) {
            asked.copy.entry(asked, entry, controls);
        }
    }

    private static Integer result(ProtocolOp operation) {
        return operation instanceof GenericResponseProtocolOp generic ? (Integer) generic.getResultCode()
                : operation instanceof BindResponseProtocolOp bind ? (Integer) bind.getResultCode()
                : operation instanceof ExtendedResponseProtocolOp extended ? extended.getResultCode() : null;
    }

    private void ended(Asked asked, ProtocolOp operation, List<Control> controls) throws LDAPException {
        open.remove(asked.id);
        asked.result = result(operation);
        asked.answeredAt = surroundings.sequence();
        assertNotNull("an answer without a result: " + operation, asked.result);
        assertTrue("done though it came behind the end: " + asked, !asked.behindEnd);
        int result = asked.result;
        assertTrue("a fault: " + asked + " " + operation, result != FAULT);
        if (asked.kind == Kind.BIND) {
            assertTrue(asked.toString(), result == 0 || result == 49 || REFUSALS.contains(result));
            // What is not complete when a bind comes is abandoned (RFC 4511 4.2.1).
            open.values().stream().filter(each -> each.id < asked.id && each.kind.isFollowed())
                    .forEach(each -> each.abandoned(simulation.steps()));
        } else if (asked.kind == Kind.WHO_AM_I && result == 0) {
            String told = ((ExtendedResponseProtocolOp) operation).getResponseValue().stringValue();
            assertEquals("who it is in request " + asked.id, asked.identity().isEmpty() ? "" : "dn:" + asked.identity(), told);
        } else if (Kind.UPDATES.contains(asked.kind)) {
            boolean may = ContentHistory.mayChange(asked.identity(), asked.name)
                    && (asked.target == null || ContentHistory.mayChange(asked.identity(), asked.target));
            assertTrue("as \"" + asked.identity() + "\" it did " + asked, may || result != 0);
            assertTrue("as \"" + asked.identity() + "\" it was refused " + asked, !may || result != NO_IDENTITY);
        } else if (asked.kind == Kind.START_TRANSACTION && result == 0) {
            asked.transaction.started(((ExtendedResponseProtocolOp) operation).getResponseValue());
        } else if (result == CANCELED && asked.kind != Kind.CANCEL) {
            assertTrue("nobody has canceled " + asked, asked.canceled);
        }
        searchEnded(asked, controls);
    }

    private void searchEnded(Asked asked, List<Control> controls) throws LDAPException {
        if (Kind.SEARCHES.contains(asked.kind) && asked.result == NO_SUCH_OBJECT) {
            assertTrue("what it searches is there: " + asked, !ContentHistory.maySee(asked.identity(), asked.name));
        }
        if (asked.copy != null) {
            asked.copy.ended(asked, controls, surroundings.mayBeForgotten());
        } else if (asked.reading != null) {
            asked.reading.ended(asked, controls);
        } else if (asked.sorted != null) {
            asked.sorted.ended(asked, controls);
        }
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
            assertTrue(this + ": nobody answers " + asked, asked.kind.isFollowed() || asked.isAbandoned());
        }
    }

    /** The searches that are followed, of which it has not been told the end. */
    List<Asked> following() {
        return open.values().stream().filter(each -> each.kind.isFollowed() && !each.isAbandoned()).toList();
    }

    @Override
    public String toString() {
        return "client " + number;
    }
}
