package org.alder.perf.stress;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

/**
 * Follows by a persistent search (draft-ietf-ldapext-psearch-03), each time from the beginning. It knows entries by their names
 * alone: those below a renamed entry it renames itself, and what one commit did it takes at once, as one name may have gone from
 * entry to entry in it.
 */
final class PersistentSearchFollower implements Follower {
    private static final String NOTIFICATION = "2.16.840.1.113730.3.4.7";
    static final int ADDED = 1;
    static final int DELETED = 2;
    static final int RENAMED = 8;
    private static final int LIMIT_EXCEEDED = 11;

    /** @param previousDn null unless it was renamed */
    record Change(int kind, String dn, String previousDn, Map<String, SortedSet<String>> attributes) {
    }

    private final History history = new History();
    private Map<String, Map<String, SortedSet<String>>> entries = new TreeMap<>();
    /** What is told of the newest commit so far. */
    private final List<Change> commit = new ArrayList<>();
    private long commitNumber;

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
            // Too much waited to be told, or a commit was not told when the disk was full.
            message.expect(LIMIT_EXCEEDED);
        }
    }

    private synchronized void begin(LdapClient client) throws IOException {
        entries.clear();
        commit.clear();
        history.add("follows from the beginning");
        client.begin(new Request.Search(StressData.SUFFIX, Request.Scope.SUBTREE, new SearchFilter.Present("objectclass"), List.of()),
                Control.persistentSearch());
    }

    private synchronized void take(Message message) throws IOException, DifferenceException {
        byte[] notification = message.controls().get(NOTIFICATION);
        if (notification == null) {
            if (!commit.isEmpty() || entries.put(message.text(), message.attributes()) != null) {
                throw new DifferenceException("a persistent search returned " + message.text() + " without a change, after it had"
                        + " returned it already or told changes");
            }
            return;
        }
        try {
            BerReader reader = new BerReader(notification);
            reader.enter(BerWriter.SEQUENCE);
            int kind = reader.readInt(BerWriter.ENUMERATED);
            String previousDn = reader.peekTag() == BerWriter.OCTET_STRING ? reader.readString(BerWriter.OCTET_STRING) : null;
            long number = reader.readInt(BerWriter.INTEGER);
            history.add("commit " + number + ": change " + kind + " of " + message.text()
                    + (previousDn == null ? "" : ", before " + previousDn));
            takeChange(number, new Change(kind, message.text(), previousDn, message.attributes()));
        } catch (BerException e) {
            throw new IOException("an entry change notification that is not BER: " + e.getMessage(), e);
        }
    }

    private void takeChange(long number, Change change) throws DifferenceException {
        if (!commit.isEmpty() && number < commitNumber) {
            throw new DifferenceException("a persistent search told commit " + number + " after " + commitNumber);
        } else if (!commit.isEmpty() && number > commitNumber) {
            entries = after(entries, commit);
            commit.clear();
        }
        commitNumber = number;
        commit.add(change);
    }

    /** What a commit makes of the entries. @throws DifferenceException if it cannot have been made from them */
    static Map<String, Map<String, SortedSet<String>>> after(Map<String, Map<String, SortedSet<String>>> before, List<Change> commit)
            throws DifferenceException {
        Map<String, Map<String, SortedSet<String>>> rest = new TreeMap<>(before);
        Map<String, String> renamed = new HashMap<>();
        for (Change change : commit) {
            if (change.kind == DELETED && rest.remove(change.dn) == null
                    || change.kind == RENAMED && !before.containsKey(change.previousDn)) {
                throw new DifferenceException("a persistent search told " + change + ", but it had not told of that entry");
            } else if (change.kind == RENAMED) {
                renamed.put(change.previousDn, change.dn);
            }
        }
        Map<String, Map<String, SortedSet<String>>> after = new TreeMap<>();
        for (Map.Entry<String, Map<String, SortedSet<String>>> entry : rest.entrySet()) {
            String dn = moved(entry.getKey(), renamed);
            if (after.put(dn, entry.getValue()) != null) {
                throw new DifferenceException("after what a persistent search told there are two entries " + dn);
            }
        }
        for (Change change : commit) {
            if (change.kind != DELETED && (after.put(change.dn, change.attributes) == null) != (change.kind == ADDED)) {
                throw new DifferenceException("a persistent search told " + change + ", but "
                        + (change.kind == ADDED ? "there was such an entry already" : "it had not told of that entry"));
            }
        }
        return after;
    }

    /** The name of an entry after it, or the nearest of those that it was below, was renamed. */
    private static String moved(String dn, Map<String, String> renamed) {
        for (String above = dn; above.endsWith(StressData.SUFFIX); above = Tree.parent(above)) {
            if (renamed.containsKey(above)) {
                return dn.substring(0, dn.length() - above.length()) + renamed.get(above);
            }
        }
        return dn;
    }

    @Override
    public synchronized Contents copy(int workers) throws DifferenceException {
        return Contents.of(workers, after(entries, commit));
    }
}
