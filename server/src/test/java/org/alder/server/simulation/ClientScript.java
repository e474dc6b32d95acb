package org.alder.server.simulation;

import com.unboundid.asn1.ASN1Boolean;
import com.unboundid.asn1.ASN1Element;
import com.unboundid.asn1.ASN1Integer;
import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.asn1.ASN1Sequence;
import com.unboundid.ldap.protocol.AbandonRequestProtocolOp;
import com.unboundid.ldap.protocol.AddRequestProtocolOp;
import com.unboundid.ldap.protocol.BindRequestProtocolOp;
import com.unboundid.ldap.protocol.DeleteRequestProtocolOp;
import com.unboundid.ldap.protocol.ExtendedRequestProtocolOp;
import com.unboundid.ldap.protocol.LDAPMessage;
import com.unboundid.ldap.protocol.ModifyDNRequestProtocolOp;
import com.unboundid.ldap.protocol.ModifyRequestProtocolOp;
import com.unboundid.ldap.protocol.ProtocolOp;
import com.unboundid.ldap.protocol.SearchRequestProtocolOp;
import com.unboundid.ldap.protocol.UnbindRequestProtocolOp;
import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.DereferencePolicy;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.PersistentSearchRequestControl;
import com.unboundid.ldap.sdk.extensions.EndTransactionExtendedRequest;
import com.unboundid.ldap.sdk.extensions.StartTransactionExtendedRequest;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.alder.server.SimulatedServer;
import org.alder.server.TestServer;
import org.alder.server.simulation.Asked.Kind;

/** What a {@link SimulatedClient} asks for, one thing after the other, as the seed says. One thread at a time. */
final class ClientScript {
    private static final String WHO_AM_I = "1.3.6.1.4.1.4203.1.11.3";
    private static final String CANCEL = "1.3.6.1.1.8";
    private static final String START_TLS = "1.3.6.1.4.1.1466.20037";
    private static final int MOST_TRANSACTIONS = 3;
    private static final List<String> BASES = List.of(TestServer.SUFFIX, TestServer.SUFFIX, SimulatedServer.OPEN, SimulatedServer.SECRET);

    private final SimulatedClient client;
    private final int number;
    private final SplittableRandom random;
    private final SimulatedClient.Surroundings surroundings;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    /** What this client asks for more often than others do, or null. */
    private final Runnable favourite;
    private int lastId;
    private int named;
    private int written;
    private long sentBytes;
    private Asked lastBind;

    ClientScript(SimulatedClient client, int number, SplittableRandom random, SimulatedClient.Surroundings surroundings) {
        this.client = client;
        this.number = number;
        this.random = random;
        this.surroundings = surroundings;
        List<Runnable> all = List.of(this::update, this::follow, this::synchronize, this::page, this::sort, this::transact);
        this.favourite = random.nextBoolean() ? all.get(random.nextInt(all.size())) : null;
    }

    /** The messages of what was asked for since. */
    byte[] takeMessages() {
        byte[] messages = out.toByteArray();
        out.reset();
        return messages;
    }

    /** Asks for one more thing. @param first whether it is the first: who has said who he is may do more */
    void act(boolean first) {
        int choice = random.nextInt(100);
        if (first && random.nextInt(3) > 0) {
            bind();
        } else if (favourite != null && random.nextInt(3) == 0) {
            favourite.run();
        } else if (client.transactions().stream().anyMatch(SimulatedTransaction::isOpen) && random.nextInt(2) == 0) {
            transact();
        } else if (surroundings.readings().stream().anyMatch(each -> each.isBegunBy(name())) && random.nextInt(4) == 0) {
            page();
        } else if (choice < 8) {
            bind();
        } else if (choice < 16) {
            ask(Kind.WHO_AM_I, "", new ExtendedRequestProtocolOp(WHO_AM_I, null));
        } else if (choice < 34) {
            update();
        } else if (choice < 43) {
            search();
        } else if (choice < 48) {
            page();
        } else if (choice < 52) {
            sort();
        } else if (choice < 61) {
            follow();
        } else if (choice < 70) {
            synchronize();
        } else if (choice < 79) {
            transact();
        } else if (choice < 89) {
            giveUp();
        } else if (choice < 97) {
            client.socket().setClientReading(random.nextBoolean());
        } else if (choice < 98) {
            ask(Kind.START_TLS, "", new ExtendedRequestProtocolOp(START_TLS, null));
        } else if (random.nextInt(3) == 0) {
            unbind();
        }
    }

    private Asked ask(Kind kind, String name, ProtocolOp operation, Control... controls) {
        Asked asked = new Asked(++lastId, kind, lastBind, name, surroundings.sequence());
        client.asks(asked);
        send(asked.id, operation, controls);
        return asked;
    }

    private void send(int id, ProtocolOp operation, Control... controls) {
        byte[] bytes = new LDAPMessage(id, operation, controls).encode().encode();
        out.writeBytes(bytes);
        sentBytes += bytes.length;
    }

    private void bind() {
        int who = random.nextInt(6);
        String name = who == 0 ? "" : who == 1 ? TestServer.ADMIN : TestServer.userDn(1 + random.nextInt(2));
        String password = who == 0 ? "" : who == 1 ? TestServer.ADMIN_PASSWORD : who == 2 ? "wrong" : TestServer.USER_PASSWORD;
        lastBind = ask(Kind.BIND, name, new BindRequestProtocolOp(name, password));
        // It ends them, so little is to be had of asking more of them.
        client.transactions().stream().filter(each -> random.nextInt(4) > 0).forEach(SimulatedTransaction::leave);
    }

    /** Who the client is, if the last bind succeeds. */
    private String name() {
        return lastBind == null ? "" : lastBind.name;
    }

    void unbind() {
        send(++lastId, new UnbindRequestProtocolOp());
        client.saysEnd();
    }

    /** Of all values of all clients, each is written once; as text they are in the order of their numbers, which is none. */
    private String token() {
        return String.valueOf(100_000_000L * (1 + random.nextInt(9)) + 1_000_000L * random.nextInt(100) + 10_000L * number + ++written);
    }

    private String newName() {
        return "c" + number + "." + ++named;
    }

    /** Some entry that may be there. */
    private String someDn(String parent) {
        return random.nextBoolean() ? "cn=old." + (1 + random.nextInt(8)) + "," + SimulatedServer.OPEN
                : "cn=c" + number + "." + (1 + random.nextInt(named + 1)) + "," + parent;
    }

    private static ProtocolOp add(String dn, String token, int length) {
        String cn = dn.substring("cn=".length(), dn.indexOf(','));
        return new AddRequestProtocolOp(dn, List.of(new Attribute("objectClass", "device"), new Attribute("cn", cn),
                new Attribute(ContentHistory.SERIAL, token), new Attribute("description", "y".repeat(length))));
    }

    private static ProtocolOp modify(String dn, String token) {
        return new ModifyRequestProtocolOp(dn, List.of(new Modification(ModificationType.REPLACE, ContentHistory.SERIAL, token)));
    }

    private void update() {
        String parent = random.nextInt(4) == 0 ? SimulatedServer.SECRET : SimulatedServer.OPEN;
        int what = random.nextInt(7);
        String dn = what < 3 ? "cn=" + newName() + "," + parent : someDn(parent);
        String token = token();
        if (what < 3) {
            ask(Kind.ADD, dn, add(dn, token, 1 + random.nextInt(600))).token = token;
        } else if (what < 5) {
            ask(Kind.MODIFY, dn, modify(dn, token)).token = token;
        } else if (what < 6) {
            String rdn = "cn=" + newName();
            String superior = random.nextInt(3) == 0 ? null : random.nextBoolean() ? SimulatedServer.SECRET : SimulatedServer.OPEN;
            ask(Kind.RENAME, dn, new ModifyDNRequestProtocolOp(dn, rdn, true, superior)).target =
                    rdn + "," + (superior == null ? dn.substring(dn.indexOf(',') + 1) : superior);
        } else {
            ask(Kind.DELETE, dn, new DeleteRequestProtocolOp(dn));
        }
    }

    private static SearchRequestProtocolOp search(String base, Filter filter) {
        return new SearchRequestProtocolOp(base, SearchScope.SUB, DereferencePolicy.NEVER, 0, 0, false, filter, List.of("*", "entryUUID"));
    }

    private static SearchRequestProtocolOp everything(String base) {
        return search(base, Filter.createPresenceFilter("objectClass"));
    }

    private String someBase() {
        return BASES.get(random.nextInt(BASES.size()));
    }

    private void search() {
        String base = someBase();
        // The second one is for workers: it may have to look at everything.
        boolean marked = random.nextBoolean();
        ask(Kind.SEARCH, base, marked ? search(base, Filter.createSubstringFilter("description", null, new String[] {ContentHistory.MARK}, null))
                : everything(base)).marked = marked;
    }

    private void sort() {
        String base = random.nextBoolean() ? TestServer.SUFFIX : SimulatedServer.OPEN;
        SortedReading sorted = new SortedReading(random);
        ask(Kind.SORTED, base, everything(base), sorted.request()).sorted = sorted;
    }

    /** One with which nobody goes on, mostly one that this client may go on with, or a new one. */
    private <T> T some(List<T> all, Predicate<T> isFree, Predicate<T> isFit, Supplier<T> made) {
        boolean anyOne = random.nextInt(8) == 0;
        List<T> free = all.stream().filter(each -> isFree.test(each) && (anyOne || isFit.test(each))).toList();
        if (!free.isEmpty() && random.nextInt(4) > 0) {
            return free.get(random.nextInt(free.size()));
        }
        T one = made.get();
        all.add(one);
        return one;
    }

    private void page() {
        PagedReading reading = some(surroundings.readings(), PagedReading::isFree, each -> each.isBegunBy(name()), () -> new PagedReading(
                random.nextBoolean() ? TestServer.SUFFIX : SimulatedServer.OPEN, 1 + random.nextInt(10), random.nextInt(3) == 0));
        Asked asked = ask(Kind.PAGE, reading.base, everything(reading.base), reading.request());
        asked.reading = reading;
        reading.use(client, asked);
    }

    private void follow() {
        String base = someBase();
        ASN1Element value = new ASN1Sequence(new ASN1Integer(15), new ASN1Boolean(true), new ASN1Boolean(true));
        ask(Kind.FOLLOW, base, everything(base),
                new Control(PersistentSearchRequestControl.PERSISTENT_SEARCH_REQUEST_OID, true, new ASN1OctetString(value.encode())));
    }

    private void synchronize() {
        SyncedContent copy = some(surroundings.copies(), SyncedContent::isFree, each -> each.isBegunBy(name()), () -> new SyncedContent(someBase()));
        boolean persist = random.nextInt(3) > 0;
        Asked asked = ask(persist ? Kind.SYNC : Kind.SYNC_ONCE, copy.base, everything(copy.base), copy.request(persist));
        asked.copy = copy;
        copy.use(client, asked);
    }

    /** Begins a transaction, or puts some updates in one and perhaps ends it. */
    private void transact() {
        List<SimulatedTransaction> started = client.transactions().stream().filter(SimulatedTransaction::isOpen).toList();
        if (started.isEmpty() && client.transactions().stream().anyMatch(SimulatedTransaction::isBeginning)) {
            update();
            return;
        } else if (started.isEmpty() || started.size() < MOST_TRANSACTIONS && random.nextInt(5) == 0) {
            Asked asked = ask(Kind.START_TRANSACTION, "", new ExtendedRequestProtocolOp(StartTransactionExtendedRequest.START_TRANSACTION_REQUEST_OID, null));
            asked.transaction = new SimulatedTransaction(asked);
            client.transactions().add(asked.transaction);
            return;
        }
        SimulatedTransaction transaction = started.get(random.nextInt(started.size()));
        for (int i = random.nextInt(4); i > 0; i--) {
            queue(transaction);
        }
        if (random.nextBoolean()) {
            boolean commit = random.nextInt(5) > 0;
            EndTransactionExtendedRequest end = new EndTransactionExtendedRequest(transaction.id(), commit);
            transaction.end(ask(Kind.END_TRANSACTION, transaction.id().stringValue(), new ExtendedRequestProtocolOp(end.getOID(), end.getValue())),
                    commit);
        }
    }

    private void queue(SimulatedTransaction transaction) {
        List<String> before = new ArrayList<>(transaction.names());
        int what = random.nextInt(12);
        String token = token();
        boolean isNew = what < 6;
        // Now and then what makes the whole fail: one that is there already, and one that he may not know of.
        String dn = what == 0 ? "cn=old.1," + SimulatedServer.OPEN : isNew ? "cn=" + newName() + "," + (what == 1 ? SimulatedServer.SECRET
                : SimulatedServer.OPEN) : what < 9 && !before.isEmpty() ? before.get(random.nextInt(before.size())) : someDn(SimulatedServer.OPEN);
        Asked asked = ask(Kind.QUEUE, dn, isNew ? add(dn, token, 1 + random.nextInt(200)) : modify(dn, token), transaction.specification());
        asked.token = token;
        transaction.update(asked);
    }

    private void giveUp() {
        List<Asked> some = client.open().stream().filter(each -> Kind.SEARCHES.contains(each.kind)).toList();
        if (some.isEmpty()) {
            return;
        }
        Asked asked = some.get(random.nextInt(some.size()));
        if (random.nextInt(3) == 0) {
            asked.canceled = true;
            ask(Kind.CANCEL, "" + asked.id, new ExtendedRequestProtocolOp(CANCEL, new ASN1OctetString(new ASN1Sequence(
                    new ASN1Integer(asked.id)).encode())));
        } else {
            send(++lastId, new AbandonRequestProtocolOp(asked.id));
            client.abandons(asked, sentBytes);
        }
    }
}
