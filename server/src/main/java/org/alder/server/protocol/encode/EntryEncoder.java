package org.alder.server.protocol.encode;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.AttributeCursor;
import org.alder.partition.entry.AttributeSpelling;
import org.alder.partition.entry.EntryAttributes;
import org.alder.partition.entry.LargeAttribute;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.GivenUpException;
import org.alder.partition.filter.AttributeAccess;
import org.alder.partition.filter.ValueTest;
import org.alder.partition.filter.ValuesFilter;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.partition.text.Utf8;
import org.alder.server.control.ResponseControl;
import org.alder.server.directory.EntryCursor;
import org.alder.server.directory.FoundEntry;
import org.alder.server.directory.ValueCursor;
import org.alder.server.protocol.Responses;

/**
 * Encodes search result entries (RFC 4511 4.5.2) by copying from entry records: all user attributes at once where all are wanted
 * and allowed, else attribute by attribute; values are never decoded. One thread.
 */
public final class EntryEncoder {
    private static final int MOST_DECISIONS = 64;
    private static final int MOST_KINDS = 16;
    /** Whether there is time is asked each so many values: each may be held against thousands of items. */
    private static final int LOOK = 64;
    private static final byte[] NOTHING = {};
    private static final Decision[] NOTHING_DECIDED = {};
    private static final Decision COPIED = new Decision(null, false, NOTHING, true, null);
    private static final Decision LEFT_OUT = new Decision(null, false, null, false, null);
    private static final ValueTest EVERY_VALUE = (bytes, offset, length) -> true;

    private final Schema schema;
    private final AttributeSelection selection;
    private final boolean typesOnly;
    private final ValuesFilter values;
    private final EntryControls controls;
    private final AttributeOrigin origin;
    private final boolean operational;
    /** Whether all user attributes are wanted, as they are stored. */
    private final boolean copies;
    private boolean isFirst = true;
    /** By what may be known of an entry: of those found, some may have more to show than others. */
    private final Map<AttributeAccess, Decision[]> decisionsByAccess = new IdentityHashMap<>(2);
    private Decision[] decisions;
    private AttributeAccess decidedFor;

    /**
     * What becomes of a stored attribute.
     *
     * @param name what it is returned as, null if it is not returned
     * @param asStored whether its bytes are copied
     * @param readable which of its values may be returned; null for all
     */
    private record Decision(AttributeSpelling stored, boolean operational, byte[] name, boolean asStored, ValueTest readable) {
    }

    public EntryEncoder(Schema schema, AttributeSelection selection, boolean typesOnly) {
        this(schema, selection, typesOnly, null, EntryControls.NONE, AttributeOrigin.ANY);
    }

    /**
     * @param values which values are returned; null for all. Without effect if only types are (RFC 3876 2)
     * @param controls what goes with each entry
     * @param origin which attributes are returned, of those selected
     */
    public EntryEncoder(Schema schema, AttributeSelection selection, boolean typesOnly, ValuesFilter values, EntryControls controls,
            AttributeOrigin origin) {
        this.schema = schema;
        this.selection = selection;
        this.typesOnly = typesOnly;
        this.values = typesOnly ? null : values;
        this.controls = controls;
        this.origin = origin;
        this.operational = selection.reachesOperational();
        this.copies = selection.isAllUserAsStored() && !operational && !typesOnly && values == null;
    }

    /** Whether nothing of an entry's attributes is written, whatever it has: its name alone, with what controls may add. */
    public boolean isOfNames() {
        return selection.isNothing();
    }

    /** Whether writing the entry the cursor stands on takes more than its record: a search, or a walk through many values. */
    public boolean maySearch(EntryCursor cursor) {
        return cursor.isIncomplete() || values != null && !isOfNames() && cursor.attributes().hasLarge() || controls != EntryControls.NONE;
    }

    /**
     * Writes the entry the cursor stands on as one whole message.
     *
     * @return null; or, if the entry has values outside of its record that are wanted, the entry, of which nothing is written
     * @throws DirectoryException if there is something that speaks against returning the entry; nothing is written then
     */
    public LongEntry write(BerWriter out, int messageId, EntryCursor found) throws DirectoryException {
        EntryCursor cursor = origin == AttributeOrigin.ANY ? found : origin.of(found, schema);
        complete(cursor);
        int start = out.size();
        byte[] tail = controls == EntryControls.NONE ? NOTHING : encodedControls(found);
        List<Attribute> added = controls == EntryControls.NONE ? List.of() : controls.attributes(found);
        List<LongEntry.Values> large = !isOfNames() && cursor.attributes().hasLarge() ? large(cursor, false) : List.of();
        int following = large.isEmpty() ? 0 : Math.toIntExact(large.stream().mapToLong(LongEntry.Values::length).sum());
        int message = out.begin(BerWriter.SEQUENCE);
        out.integer(BerWriter.INTEGER, messageId);
        write(out, cursor, added, following);
        if (large.isEmpty()) {
            out.raw(tail, 0, tail.length);
            out.end(message);
            return null;
        }
        out.endBefore(message, Math.addExact(following, tail.length));
        byte[] head = Arrays.copyOfRange(out.buffer(), start, out.size());
        out.truncate(start);
        return new LongEntry(head, large, tail, cursor);
    }

    private void complete(EntryCursor cursor) throws DirectoryException {
        if (isOfNames() || !cursor.isIncomplete()) {
            return;
        }
        AttributeAccess access = cursor.access();
        cursor.complete(type -> nameFor(schema.descriptionOrNull(type.name()), type.name(), false, access) != null);
    }

    private byte[] encodedControls(EntryCursor cursor) throws DirectoryException {
        List<ResponseControl> all = controls.of(cursor);
        if (all.isEmpty()) {
            return NOTHING;
        }
        BerWriter out = new BerWriter(256);
        Responses.writeControls(out, all);
        return out.toByteArray();
    }

    /**
     * Writes an entry that has all values in its record as a SearchResultEntry.
     *
     * @throws GivenUpException as {@link FoundEntry#requireTime} says
     */
    public void write(BerWriter out, FoundEntry entry) {
        try {
            write(out, entry, List.of(), 0);
        } catch (DirectoryException e) {
            throw new GivenUpException(e);
        }
    }

    /** @param added attributes beside those of the entry  @param following the bytes of attributes that the caller adds */
    private void write(BerWriter out, FoundEntry entry, List<Attribute> added, int following) throws DirectoryException {
        int operation = out.begin(Responses.SEARCH_ENTRY);
        entry.writeDn(out);
        int attributes = out.begin(BerWriter.SEQUENCE);
        if (!isOfNames()) {
            EntryAttributes stored = entry.attributes();
            writeAttributes(out, stored, entry.access());
            if (stored.hasLarge()) {
                writeInPart(out, entry);
            }
            if (operational) {
                writeVirtual(out, entry);
            }
        }
        for (Attribute attribute : added) {
            writeAttribute(out, attribute.description().getBytes(StandardCharsets.UTF_8), attribute.values());
        }
        out.endBefore(attributes, following);
        out.endBefore(operation, following);
    }

    /** Writes the wanted attributes alone, with all their values. */
    public void writeAttributes(BerWriter out, EntryCursor entry) throws DirectoryException {
        complete(entry);
        writeAttributes(out, entry.attributes(), entry.access());
        writeInPart(out, entry);
        for (LongEntry.Values one : large(entry, false)) {
            new LongEntry(NOTHING, List.of(one), NOTHING, entry).writeTo(out);
        }
        if (operational) {
            writeVirtual(out, entry);
        }
    }

    private void writeInPart(BerWriter out, FoundEntry entry) throws DirectoryException {
        for (LongEntry.Values one : large(entry, true)) {
            writeInPart(out, entry, one);
        }
    }

    private void writeInPart(BerWriter out, FoundEntry entry, LongEntry.Values large) throws DirectoryException {
        byte[] spelt = large.attribute().description().getBytes(StandardCharsets.UTF_8);
        ValueTest readable = readable(large.attribute(), entry.access());
        ValueTest chosen = values == null ? EVERY_VALUE : values.test(spelt, 0, spelt.length);
        if (typesOnly && readable == null) {
            writeType(out, large.name());
            return;
        }
        List<byte[]> matching = new ArrayList<>();
        if (chosen != null) {
            try (ValueCursor cursor = entry.openValues(large.attribute())) {
                for (int looked = 1; cursor.next(); looked++) {
                    if (looked % LOOK == 0) {
                        entry.requireTime();
                    }
                    byte[] value = cursor.value();
                    if (chosen.matches(value, 0, value.length) && (readable == null || readable.matches(value, 0, value.length))) {
                        matching.add(value);
                    }
                }
            }
        }
        if (!matching.isEmpty() && typesOnly) {
            writeType(out, large.name());
        } else if (!matching.isEmpty()) {
            writeAttribute(out, large.name(), matching);
        }
    }

    private ValueTest readable(LargeAttribute attribute, AttributeAccess access) {
        AttributeDescription description = schema.descriptionOrNull(attribute.description());
        return description == null ? null : access.readable(description.type());
    }

    /** The wanted ones of the large attributes. @param inPart whether those of which not all values are, or the others */
    private List<LongEntry.Values> large(FoundEntry entry, boolean inPart) {
        List<LongEntry.Values> wanted = new ArrayList<>(1);
        for (LargeAttribute attribute : entry.attributes().largeAttributes()) {
            byte[] name = nameFor(schema.descriptionOrNull(attribute.description()), attribute.description(), false,
                    entry.access());
            boolean some = typesOnly || values != null || readable(attribute, entry.access()) != null;
            if (name != null && some == inPart) {
                wanted.add(new LongEntry.Values(name, attribute));
            }
        }
        return wanted;
    }

    private void writeAttributes(BerWriter out, EntryAttributes attributes, AttributeAccess access) {
        if (copies && access == AttributeAccess.ALL) {
            attributes.writeUserAttributes(out);
            return;
        }
        // The first entry is mostly the only one: if it is only secrets that are left out, nothing is remembered for the next.
        boolean unremembered = isFirst && copies && access == AttributeAccess.ALL_BUT_SECRETS;
        isFirst = false;
        Decision[] known = unremembered ? NOTHING_DECIDED : decisions(access);
        AttributeCursor stored = attributes.cursor(operational);
        int copyFrom = -1;
        for (int position = 0;; position++) {
            Decision decision = position < known.length ? known[position] : null;
            boolean isForeseen = decision != null && stored.nextIfSpelt(decision.stored);
            if (!isForeseen && !stored.next()) {
                break;
            } else if (!isForeseen || decision.operational != stored.isOperational()) {
                decision = unremembered ? (isSecret(stored) ? LEFT_OUT : COPIED) : decision(known, position, stored, access);
            }
            boolean copied = decision.name != null && decision.asStored;
            if (copied && copyFrom < 0) {
                copyFrom = stored.offset();
            } else if (!copied && copyFrom >= 0) {
                out.raw(stored.bytes(), copyFrom, stored.offset() - copyFrom);
                copyFrom = -1;
            }
            if (!copied && decision.name != null) {
                copyRenamed(out, stored, decision.name, decision.readable);
            }
        }
        if (copyFrom >= 0) {
            out.raw(stored.bytes(), copyFrom, stored.offset() + stored.length() - copyFrom);
        }
    }

    /** Also of an attribute that the schema does not know. */
    private boolean isSecret(AttributeCursor stored) {
        AttributeDescription known = schema.descriptionOrNull(stored.bytes(), stored.nameOffset(), stored.nameLength());
        return known == null || known.type().isSecret();
    }

    /** By the attribute's position in the entry: entries mostly have the attributes of the one before, in its order. */
    private Decision[] decisions(AttributeAccess access) {
        if (access != decidedFor) {
            if (decisionsByAccess.size() >= MOST_KINDS) {
                decisionsByAccess.clear();
            }
            decisions = decisionsByAccess.computeIfAbsent(access, known -> new Decision[MOST_DECISIONS]);
            decidedFor = access;
        }
        return decisions;
    }

    private Decision decision(Decision[] known, int position, AttributeCursor stored, AttributeAccess access) {
        Decision before = position < known.length ? known[position] : null;
        if (before != null && before.operational == stored.isOperational() && stored.isSpelt(before.stored)) {
            return before;
        }
        Decision decision = decide(stored, access);
        if (position < known.length) {
            known[position] = decision;
        }
        return decision;
    }

    private Decision decide(AttributeCursor stored, AttributeAccess access) {
        byte[] spelt = Arrays.copyOfRange(stored.bytes(), stored.nameOffset(), stored.nameOffset() + stored.nameLength());
        AttributeDescription description = schema.descriptionOrNull(stored.bytes(), stored.nameOffset(), stored.nameLength());
        byte[] name = description == null || !selection.isAllAsStored(stored.isOperational())
                ? nameFor(description, Utf8.stored(spelt), stored.isOperational(), access)
                : access.mayRead(description.type()) ? spelt : null;
        ValueTest readable = name == null || description == null ? null : access.readable(description.type());
        boolean asStored = !typesOnly && values == null && readable == null && Arrays.equals(name, spelt);
        return new Decision(new AttributeSpelling(spelt), stored.isOperational(), name, asStored, readable);
    }

    /** @param description null if the schema does not know it, nor whether it is a secret */
    private byte[] nameFor(AttributeDescription description, String spelt, boolean isOperational, AttributeAccess access) {
        if (description == null) {
            boolean returned = access == AttributeAccess.ALL && selection.selectsUnknown(spelt, isOperational);
            return returned ? spelt.getBytes(StandardCharsets.UTF_8) : null;
        }
        if (!access.mayRead(description.type())) {
            return null;
        }
        return selection.isAllAsStored(isOperational) ? spelt.getBytes(StandardCharsets.UTF_8)
                : selection.nameFor(description, isOperational);
    }

    private void copyRenamed(BerWriter out, AttributeCursor stored, byte[] name, ValueTest readable) {
        List<byte[]> shown = readable == null ? null : matching(readable, stored.values());
        if (shown != null && shown.isEmpty()) {
            return;
        }
        if (typesOnly) {
            writeType(out, name);
            return;
        }
        if (values != null) {
            writeMatching(out, name, values.test(stored.bytes(), stored.nameOffset(), stored.nameLength()),
                    shown == null ? stored.values() : shown);
            return;
        }
        if (shown != null) {
            writeAttribute(out, name, shown);
            return;
        }
        int valuesOffset = stored.nameOffset() + stored.nameLength();
        int sequence = out.begin(BerWriter.SEQUENCE);
        out.octets(BerWriter.OCTET_STRING, name);
        out.raw(stored.bytes(), valuesOffset, stored.offset() + stored.length() - valuesOffset);
        out.end(sequence);
    }

    private static void writeMatching(BerWriter out, byte[] name, ValueTest test, List<byte[]> candidates) {
        List<byte[]> matching = test == null ? List.of() : matching(test, candidates);
        if (!matching.isEmpty()) {
            writeAttribute(out, name, matching);
        }
    }

    private static List<byte[]> matching(ValueTest test, List<byte[]> candidates) {
        return candidates.stream().filter(value -> test.matches(value, 0, value.length)).toList();
    }

    private static void writeAttribute(BerWriter out, byte[] name, List<byte[]> written) {
        int sequence = out.begin(BerWriter.SEQUENCE);
        out.octets(BerWriter.OCTET_STRING, name);
        int set = out.begin(BerWriter.SET);
        written.forEach(value -> out.octets(BerWriter.OCTET_STRING, value));
        out.end(set);
        out.end(sequence);
    }

    private static void writeType(BerWriter out, byte[] name) {
        int sequence = out.begin(BerWriter.SEQUENCE);
        out.octets(BerWriter.OCTET_STRING, name);
        out.end(out.begin(BerWriter.SET));
        out.end(sequence);
    }

    private void writeVirtual(BerWriter out, FoundEntry entry) {
        AttributeAccess access = entry.access();
        for (Attribute attribute : entry.virtualAttributes(type -> isWanted(type, access))) {
            AttributeDescription description = schema.descriptionOrNull(attribute.description());
            byte[] name = selection.nameFor(description, true);
            ValueTest readable = access.readable(description.type());
            List<byte[]> shown = readable == null ? attribute.values() : matching(readable, attribute.values());
            if (shown.isEmpty()) {
                continue;
            }
            if (typesOnly) {
                writeType(out, name);
            } else if (values != null) {
                byte[] spelt = attribute.description().getBytes(StandardCharsets.UTF_8);
                writeMatching(out, name, values.test(spelt, 0, spelt.length), shown);
            } else {
                writeAttribute(out, name, shown);
            }
        }
    }

    private boolean isWanted(AttributeType type, AttributeAccess access) {
        return selection.selectsVirtual(type) && access.mayRead(type);
    }
}
