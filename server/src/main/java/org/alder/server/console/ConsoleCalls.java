package org.alder.server.console;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.filter.Filter;
import org.alder.partition.filter.FilterEncoder;
import org.alder.partition.filter.FilterParser;
import org.alder.partition.request.Modification;
import org.alder.partition.request.SearchScope;
import org.alder.partition.text.Utf8;
import org.alder.server.client.LdapAnswer;
import org.alder.server.client.LdapCall;
import org.alder.server.console.LdapClient.AnswerTooLargeException;
import org.alder.server.control.Assertion;
import org.alder.server.control.MarkerControl;
import org.alder.server.control.search.Explain;
import org.alder.server.control.search.PagedResults;

/** What the console's page can ask for in the name of who has logged in, and what it is told. Thread safe. */
final class ConsoleCalls {
    private static final Filter ANY = new Filter.Present("objectClass");
    private static final String MONITOR = "cn=Monitor";
    /** Below these there is more than is said of them; below cn=connections there is too much. */
    private static final Pattern WITH_MORE = Pattern.compile("cn=(?:operations|memory|unindexed|partition-\\d+),.*");
    private static final int MOST_ENTRIES = 200;
    /** As many as are deleted at once. */
    private static final int MOST_COUNTED = 10_000;
    private static final List<String> ALL = List.of("*");
    private static final String OBJECT_CLASSES = "objectClasses";
    private static final String SUFFIX = "suffix";
    private static final String INDEX = "index";
    private static final int SEARCH_SECONDS = 10;

    private final ShownEntries shown;

    /** @param isSecret whether values of an attribute are never shown */
    ConsoleCalls(Predicate<String> isSecret) {
        shown = new ShownEntries(isSecret);
    }

    /** A search, or a page of one, perhaps with its plan. */
    Map<String, Object> search(LdapClient client, Fields asked) throws ConsoleException {
        boolean typesOnly = asked.flag("typesOnly");
        List<String> attributes = asked.texts("attributes");
        int entries = asked.number("entries", 1, MOST_ENTRIES, MOST_ENTRIES);
        String cookie = asked.text("cookie");
        boolean paged = asked.flag("paged");
        LdapCall call = LdapCall.search(new LdapCall.Search(asked.text("base"), scope(asked.text("scope")), filter(asked.text("filter")),
                paged ? 0 : entries, SEARCH_SECONDS, typesOnly, attributes));
        if (paged) {
            call.with(PagedResults.CONTROL.oid(), page(entries, cookie(cookie)));
        }
        if (asked.flag("explain")) {
            call.with(Explain.OID, null);
        }
        long started = System.nanoTime();
        try {
            LdapClient.Answer answer = client.ask(call);
            Map<String, Object> told = result(answer.result());
            told.put("micros", (System.nanoTime() - started) / 1000);
            told.put("entries", shown.of(answer.entries()));
            told.put("references", answer.references());
            told.put("cookie", nextPage(answer.result()));
            explain(answer.result(), told);
            return told;
        } catch (AnswerTooLargeException e) {
            throw new ConsoleException(ConsoleException.CONTENT_TOO_LARGE, "the answer is larger than " + (LdapClient.MOST_ANSWER_BYTES >> 20)
                    + " MiB, more than the console takes: ask for fewer entries, or read them with ldapsearch", e);
        }
    }

    private static SearchScope scope(String text) throws ConsoleException {
        return switch (text) {
            case "base" -> SearchScope.BASE;
            case "one" -> SearchScope.ONE_LEVEL;
            case "sub" -> SearchScope.SUBTREE;
            default -> throw new ConsoleException(ConsoleException.BAD_REQUEST, "scope: expected base, one or sub");
        };
    }

    private static Filter filter(String text) throws ConsoleException {
        try {
            return text.isBlank() ? ANY : FilterParser.parse(text);
        } catch (DirectoryException e) {
            throw new ConsoleException(ConsoleException.BAD_REQUEST, "filter: " + e.getMessage(), e);
        }
    }

    private static byte[] cookie(String text) throws ConsoleException {
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw new ConsoleException(ConsoleException.BAD_REQUEST, "cookie: expected that of the page before", e);
        }
    }

    /** Asks for one page of a search (RFC 2696). @param cookie empty for the first one */
    private static byte[] page(int size, byte[] cookie) {
        BerWriter value = new BerWriter(32 + cookie.length);
        int sequence = value.begin(BerWriter.SEQUENCE);
        value.integer(BerWriter.INTEGER, size);
        value.octets(BerWriter.OCTET_STRING, cookie);
        value.end(sequence);
        return value.toByteArray();
    }

    /** The cookie of the next page; empty if there is none. */
    private static String nextPage(LdapAnswer.Result result) throws ConsoleException {
        byte[] control = result.controls().get(PagedResults.CONTROL.oid());
        if (control == null) {
            return "";
        }
        try {
            BerReader reader = new BerReader(control);
            reader.enter(BerWriter.SEQUENCE);
            reader.readInt(BerWriter.INTEGER);
            return Base64.getEncoder().encodeToString(reader.readBytes(BerWriter.OCTET_STRING));
        } catch (BerException e) {
            throw noLdap(e);
        }
    }

    private static void explain(LdapAnswer.Result result, Map<String, Object> told) throws ConsoleException {
        byte[] control = result.controls().get(Explain.OID);
        if (control == null) {
            return;
        }
        try {
            BerReader reader = new BerReader(control);
            reader.enter(BerWriter.SEQUENCE);
            told.put("examined", reader.readInt(BerWriter.INTEGER));
            reader.enter(BerWriter.SEQUENCE);
            List<String> plan = new ArrayList<>();
            while (reader.hasMore()) {
                plan.add(reader.readString(BerWriter.OCTET_STRING));
            }
            told.put("plan", plan);
        } catch (BerException e) {
            throw noLdap(e);
        }
    }

    private static ConsoleException noLdap(BerException cause) {
        return new ConsoleException(ConsoleException.BAD_GATEWAY, "a control of the answer is not as it should be: " + cause.getMessage(), cause);
    }

    private static Map<String, Object> result(LdapAnswer.Result answer) {
        Map<String, Object> told = new LinkedHashMap<>();
        told.put("code", answer.code());
        told.put("result", answer.name());
        told.put("message", answer.message());
        return told;
    }

    /** The figures of the server, but for those of each connection: of these there may be many. */
    Map<String, Object> figures(LdapClient client) throws ConsoleException {
        List<LdapAnswer.Entry> found = new ArrayList<>(read(client, MONITOR, SearchScope.BASE, ALL));
        for (LdapAnswer.Entry group : read(client, MONITOR, SearchScope.ONE_LEVEL, ALL)) {
            found.add(group);
            if (WITH_MORE.matcher(group.dn()).matches()) {
                found.addAll(read(client, group.dn(), SearchScope.ONE_LEVEL, ALL));
            }
        }
        Map<String, Object> told = new LinkedHashMap<>();
        told.put("entries", shown.of(found));
        return told;
    }

    /** @throws ConsoleException forbidden if there is nothing that who has logged in may see */
    private static List<LdapAnswer.Entry> read(LdapClient client, String base, SearchScope scope, List<String> attributes) throws ConsoleException {
        try {
            LdapClient.Answer answer = client.ask(LdapCall.search(new LdapCall.Search(base, scope, ANY, 0, SEARCH_SECONDS, false, attributes)));
            if (!answer.result().is(ResultCode.SUCCESS)) {
                throw new ConsoleException(ConsoleException.FORBIDDEN, base + (base.endsWith(MONITOR) ? ", the figures of the server, is for administrators: "
                        : " is not shown: ") + answer.result().name());
            }
            return answer.entries();
        } catch (AnswerTooLargeException e) {
            throw new ConsoleException(ConsoleException.CONTENT_TOO_LARGE, base + " is more than the console takes", e);
        }
    }

    /** Closes a connection. */
    Map<String, Object> close(LdapClient client, Fields asked) throws ConsoleException {
        return update(client, LdapCall.delete(connection(asked)));
    }

    /** Ends a request of a connection. */
    Map<String, Object> cancel(LdapClient client, Fields asked) throws ConsoleException {
        return update(client, LdapCall.delete("cn=" + asked.number("message", 1, Integer.MAX_VALUE, 0) + "," + connection(asked)));
    }

    private static String connection(Fields asked) throws ConsoleException {
        return "cn=" + asked.number("connection", 1, Integer.MAX_VALUE, 0) + ",cn=connections," + MONITOR;
    }

    /** How many entries are below one, as far as they are counted and may be seen. */
    Map<String, Object> below(LdapClient client, Fields asked) throws ConsoleException {
        Map<String, Object> told = new LinkedHashMap<>();
        try {
            LdapClient.Answer answer = client.ask(LdapCall.search(new LdapCall.Search(asked.text("base"), SearchScope.CHILDREN, ANY, MOST_COUNTED,
                    SEARCH_SECONDS, true, List.of("1.1"))));
            told.put("count", answer.entries().size());
            told.put("more", !answer.result().is(ResultCode.SUCCESS));
        } catch (AnswerTooLargeException e) {
            // Their names alone are more than that: none of these is longer than a page's worth.
            told.put("count", MOST_ENTRIES);
            told.put("more", true);
        }
        return told;
    }

    /** The definitions of object classes, from which a form for new entries is made. */
    Map<String, Object> schema(LdapClient client) throws ConsoleException {
        List<String> classes = new ArrayList<>();
        for (LdapAnswer.Entry entry : read(client, "cn=schema", SearchScope.BASE, List.of(OBJECT_CLASSES))) {
            for (byte[] definition : entry.byDescription().getOrDefault(OBJECT_CLASSES, List.of())) {
                classes.add(Utf8.shown(definition));
            }
        }
        return Map.of(OBJECT_CLASSES, classes);
    }

    /** Which indexes each partition is configured with. The keys of the configuration are in no schema, and hold no secrets. */
    Map<String, Object> indexes(LdapClient client) throws ConsoleException {
        List<Map<String, Object>> partitions = new ArrayList<>();
        for (LdapAnswer.Entry entry : read(client, "cn=config", SearchScope.ONE_LEVEL, List.of(SUFFIX, INDEX))) {
            Map<String, Object> partition = new LinkedHashMap<>();
            partition.put("dn", entry.dn());
            for (String key : List.of(SUFFIX, INDEX)) {
                partition.put(key, entry.byDescription().getOrDefault(key, List.of()).stream().map(Utf8::shown).toList());
            }
            if (!((List<?>) partition.get(SUFFIX)).isEmpty()) {
                partitions.add(partition);
            }
        }
        return Map.of("partitions", partitions);
    }

    Map<String, Object> add(LdapClient client, Fields asked) throws ConsoleException {
        List<LdapAnswer.Attribute> attributes = new ArrayList<>();
        for (Fields each : asked.objects("attributes")) {
            attributes.add(new LdapAnswer.Attribute(each.text("name"), each.texts("values").stream().map(value -> value.getBytes(StandardCharsets.UTF_8)).toList()));
        }
        return update(client, LdapCall.add(asked.text("dn"), attributes));
    }

    /** Renames an entry, or moves it, if it is the one that was shown. */
    Map<String, Object> rename(LdapClient client, Fields asked) throws ConsoleException {
        return updateAsShown(client, asked, LdapCall.rename(asked.text("dn"), asked.text("newRdn"), asked.flag("deleteOldRdn"), asked.text("newSuperior")));
    }

    /** Deletes an entry if it is the one that was shown, and what is below it only if that is asked for. */
    Map<String, Object> delete(LdapClient client, Fields asked) throws ConsoleException {
        LdapCall call = LdapCall.delete(asked.text("dn"));
        return updateAsShown(client, asked, asked.flag("tree") ? call.with(MarkerControl.TREE_DELETE.oid(), null) : call);
    }

    /**
     * Changes values of an entry, all of them or none. A value that is to be another one is deleted and the other one added, so that
     * nothing becomes of it if it is not there any more; and the entry has to be the one that was shown, if it was shown with its CSN.
     */
    Map<String, Object> modify(LdapClient client, Fields asked) throws ConsoleException {
        List<Modification> modifications = new ArrayList<>();
        for (Fields change : asked.objects("changes")) {
            modifications.add(new Modification(kind(change.text("kind")), change.text("attribute"),
                    List.of(change.text("value").getBytes(StandardCharsets.UTF_8))));
        }
        return updateAsShown(client, asked, LdapCall.modify(asked.text("dn"), modifications));
    }

    private static Map<String, Object> updateAsShown(LdapClient client, Fields asked, LdapCall call) throws ConsoleException {
        String csn = asked.text("csn");
        return update(client, csn.isEmpty() ? call : call.with(Assertion.CONTROL.oid(), hasCsn(csn)));
    }

    /** The value of an assertion (RFC 4528). */
    private static byte[] hasCsn(String csn) {
        BerWriter value = new BerWriter(128);
        FilterEncoder.write(new Filter.Equality("entryCSN", csn.getBytes(StandardCharsets.UTF_8)), value);
        return value.toByteArray();
    }

    private static Modification.Kind kind(String text) throws ConsoleException {
        return switch (text) {
            case "add" -> Modification.Kind.ADD;
            case "delete" -> Modification.Kind.DELETE;
            default -> throw new ConsoleException(ConsoleException.BAD_REQUEST, "kind: expected add or delete");
        };
    }

    private static Map<String, Object> update(LdapClient client, LdapCall call) throws ConsoleException {
        try {
            return result(client.ask(call).result());
        } catch (AnswerTooLargeException e) {
            throw new ConsoleException(ConsoleException.BAD_GATEWAY, "the answer to an update is more than the console takes", e);
        }
    }
}
