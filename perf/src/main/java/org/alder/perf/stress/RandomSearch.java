package org.alder.perf.stress;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.perf.client.Control;
import org.alder.perf.client.LdapClient;
import org.alder.perf.client.Message;
import org.alder.perf.client.Request;
import org.alder.perf.client.SearchFilter;

/** A search of one worker: as it comes, sorted, in pages or as a window of a list, with all values or those that match. One thread. */
final class RandomSearch {
    private static final String VIEW = "2.16.840.1.113730.3.4.10";
    private static final int MOST_AROUND = 10;

    private final RandomRequests requests;
    private final Tree tree;
    private final Request.Search search;
    private final List<Control> controls = new ArrayList<>();
    private final boolean isReverse;
    /** Null for all values. */
    private final List<SearchFilter> items;
    private String what;

    RandomSearch(RandomRequests requests, Tree tree) {
        this.requests = requests;
        this.tree = tree;
        this.search = requests.search(tree);
        this.isReverse = requests.oneIn(2);
        this.items = requests.oneIn(6) ? List.of(requests.item(tree), requests.item(tree)) : null;
        this.what = search + (items == null ? "" : ", values that match " + items);
        if (items != null) {
            controls.add(Control.matchedValues(items));
        }
    }

    /** @throws DifferenceException if the model has another answer */
    void run(LdapClient client) throws IOException, DifferenceException {
        boolean isSorted = requests.oneIn(3);
        if (isSorted) {
            controls.add(Control.sorted(Assertions.NUMBER, isReverse));
            what += ", sorted" + (isReverse ? " in reverse" : "");
        }
        if (isSorted && requests.oneIn(2)) {
            view(client);
            return;
        }
        int page = requests.oneIn(4) ? 1 + requests.number(20) : 0;
        what += page == 0 ? "" : ", by " + page;
        Control[] all = controls.toArray(Control[]::new);
        List<Message> found = (page == 0 ? client.send(search, all) : client.sendPaged(search, page, all)).expect(0).entries();
        Set<String> names = names(found);
        Set<String> expected = new TreeSet<>(tree.search(search));
        if (!names.equals(expected) || names.size() != found.size()) {
            throw new DifferenceException(what + " found " + found.stream().map(Message::text).toList() + ", expected " + expected);
        }
        requireContent(found);
        if (isSorted) {
            requireNumbers(found, ordered(expected));
        }
    }

    private static Set<String> names(List<Message> found) {
        return found.stream().map(Message::text).collect(Collectors.toCollection(TreeSet::new));
    }

    private void requireContent(List<Message> found) throws DifferenceException {
        for (Message entry : found) {
            Map<String, SortedSet<String>> all = tree.entries().get(entry.text());
            Map<String, SortedSet<String>> expected = items == null ? all : Assertions.matchedValues(all, items);
            if (Tree.hash(entry.text(), Tree.known(entry.attributes())) != Tree.hash(entry.text(), expected)) {
                throw new DifferenceException(what + " found " + entry.text() + " with " + entry.attributes() + ", expected "
                        + expected);
            }
        }
    }

    private int number(String dn) {
        SortedSet<String> values = tree.entries().get(dn).get(Assertions.NUMBER);
        return values == null ? Integer.MAX_VALUE : Integer.parseInt(values.first());
    }

    /** By what entries are sorted, in that order. RFC 2891 1.1: entries without the attribute are the largest. */
    private List<Integer> ordered(Set<String> names) {
        Comparator<Integer> order = isReverse ? Collections.reverseOrder() : Comparator.naturalOrder();
        return names.stream().map(this::number).sorted(order).toList();
    }

    private void requireNumbers(List<Message> found, List<Integer> expected) throws DifferenceException {
        List<Integer> numbers = found.stream().map(entry -> number(entry.text())).toList();
        if (!numbers.equals(expected)) {
            throw new DifferenceException(what + " found this order: " + numbers + ", expected " + expected);
        }
    }

    /** A window of the list (draft-ietf-ldapext-ldapv3-vlv-09) around a place or a number. Who is where among equals is not known here. */
    private void view(LdapClient client) throws IOException, DifferenceException {
        Set<String> matching = new TreeSet<>(tree.search(search));
        List<Integer> ordered = ordered(matching);
        int before = requests.number(MOST_AROUND);
        int after = requests.number(MOST_AROUND);
        int asked;
        int target;
        if (requests.oneIn(2)) {
            asked = 1 + requests.number(ordered.size() + 5);
            target = Math.min(asked, ordered.size());
            controls.add(Control.listView(before, after, asked));
        } else {
            asked = requests.number(RandomRequests.NUMBERS);
            target = 1 + (int) ordered.stream().filter(number -> isReverse ? number > asked : number < asked).count();
            controls.add(Control.listView(before, after, Integer.toString(asked)));
        }
        what += ", as a list: " + before + " before and " + after + " after " + asked;
        LdapClient.Answer answer = client.send(search, controls.toArray(Control[]::new)).expect(0);
        requireView(answer.result(), ordered.isEmpty() ? -1 : target, ordered.size());
        List<Message> found = answer.entries();
        Set<String> names = names(found);
        if (!matching.containsAll(names) || names.size() != found.size()) {
            throw new DifferenceException(what + " found " + found.stream().map(Message::text).toList() + " of " + matching);
        }
        requireContent(found);
        requireNumbers(found, ordered.subList(Math.max(0, Math.min(ordered.size(), target - 1 - before)),
                Math.min(ordered.size(), target + after)));
    }

    /** @param target -1 for any: an empty list has no places */
    private void requireView(Message result, int target, int length) throws IOException, DifferenceException {
        try {
            BerReader view = new BerReader(result.controls().getOrDefault(VIEW, new byte[0]));
            view.enter(BerWriter.SEQUENCE);
            int place = view.readInt(BerWriter.INTEGER);
            int count = view.readInt(BerWriter.INTEGER);
            int code = view.readInt(BerWriter.ENUMERATED);
            if (target != -1 && place != target || count != length || code != 0) {
                throw new DifferenceException(what + " has the view of place " + place + " of " + count + " with code " + code
                        + ", expected " + (target == -1 ? "any" : target) + " of " + length);
            }
        } catch (BerException e) {
            throw new IOException("the response of a list view is not BER: " + e.getMessage(), e);
        }
    }
}
