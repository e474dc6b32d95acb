package org.alder.perf.stress;

import java.io.IOException;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.perf.client.Control;
import org.alder.perf.client.LdapClient;
import org.alder.perf.client.Message;
import org.alder.perf.client.Request;
import org.alder.perf.client.SearchFilter;

/** Follows by content synchronization (RFC 4533, refreshAndPersist): through restarts it goes on from its cookie. */
final class SyncFollower implements Follower {
    private static final String STATE = "1.3.6.1.4.1.4203.1.9.1.2";
    private static final int REFRESH_REQUIRED = 4096;
    private static final int COOKIE = 0x80;
    private static final int REFRESH_PRESENT = 0xA2;
    private static final int ID_SET = 0xA3;
    private static final int PRESENT = 0;
    private static final int DELETE = 3;

    private record Copied(String dn, Map<String, SortedSet<String>> attributes) {
    }

    private final History history = new History();
    private final Map<String, Copied> entries = new TreeMap<>();
    private final Set<String> named = new HashSet<>();
    private byte[] cookie;

    @Override
    public History history() {
        return history;
    }

    @Override
    public void follow(LdapClient client) throws IOException, DifferenceException {
        while (true) {
            begin(client);
            Message message = client.next();
            while (!message.isResult()) {
                take(message);
                message = client.next();
            }
            history.add("the search ended with " + message.code() + " " + message.text());
            message.expect(REFRESH_REQUIRED);
            forget();
        }
    }

    private synchronized void begin(LdapClient client) throws IOException {
        named.clear();
        history.add("follows from " + (cookie == null ? "the beginning" : HexFormat.of().formatHex(cookie)));
        client.begin(new Request.Search(StressData.SUFFIX, Request.Scope.SUBTREE, new SearchFilter.Present("objectclass"), List.of()),
                Control.followed(cookie));
    }

    private synchronized void forget() {
        cookie = null;
        entries.clear();
    }

    private synchronized void take(Message message) throws IOException, DifferenceException {
        try {
            if (message.isEntry()) {
                takeEntry(message);
            } else if (message.isIntermediate()) {
                takeInfo(new BerReader(message.value()));
            }
        } catch (BerException e) {
            throw new IOException("a synchronization message that is not BER: " + e.getMessage(), e);
        }
    }

    private void takeEntry(Message message) throws BerException, DifferenceException {
        BerReader state = new BerReader(message.controls().getOrDefault(STATE, new byte[0]));
        state.enter(BerWriter.SEQUENCE);
        int kind = state.readInt(BerWriter.ENUMERATED);
        String uuid = HexFormat.of().formatHex(state.readBytes(BerWriter.OCTET_STRING));
        history.add("state " + kind + " of " + uuid + " " + message.text());
        if (kind == DELETE) {
            if (entries.remove(uuid) == null) {
                throw new DifferenceException("a follower was told that " + message.text() + " (" + uuid
                        + ") is deleted, which it had not been told of");
            }
        } else {
            named.add(uuid);
            if (kind != PRESENT) {
                entries.put(uuid, new Copied(message.text(), message.attributes()));
            }
        }
        cookie = state.hasMore() ? state.readBytes(BerWriter.OCTET_STRING) : cookie;
    }

    private void takeInfo(BerReader info) throws BerException {
        int kind = info.peekTag();
        if (kind == COOKIE) {
            cookie = info.readBytes(COOKIE);
            return;
        }
        info.enter(kind);
        cookie = info.peekTag() == BerWriter.OCTET_STRING ? info.readBytes(BerWriter.OCTET_STRING) : cookie;
        history.add("information " + Integer.toHexString(kind));
        if (kind == REFRESH_PRESENT) {
            entries.keySet().retainAll(named);
        } else if (kind == ID_SET) {
            takeSet(info);
        }
    }

    private void takeSet(BerReader info) throws BerException {
        boolean deletes = info.peekTag() == BerWriter.BOOLEAN && info.readBoolean(BerWriter.BOOLEAN);
        info.enter(BerWriter.SET);
        while (info.hasMore()) {
            String uuid = HexFormat.of().formatHex(info.readBytes(BerWriter.OCTET_STRING));
            history.add((deletes ? "deleted " : "present ") + uuid);
            if (deletes) {
                entries.remove(uuid);
            } else {
                named.add(uuid);
            }
        }
    }

    @Override
    public synchronized Contents copy(int workers) throws DifferenceException {
        Map<String, Map<String, SortedSet<String>>> byName = new TreeMap<>();
        for (Copied entry : entries.values()) {
            if (byName.put(entry.dn, entry.attributes) != null) {
                throw new DifferenceException("a follower has two entries " + entry.dn);
            }
        }
        return Contents.of(workers, byName);
    }
}
