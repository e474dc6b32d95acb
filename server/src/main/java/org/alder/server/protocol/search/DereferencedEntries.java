package org.alder.server.protocol.search;

import java.util.ArrayList;
import java.util.List;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.AttributeCursor;
import org.alder.partition.entry.LargeAttribute;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.filter.Filter;
import org.alder.partition.filter.ValueTest;
import org.alder.partition.request.Patience;
import org.alder.partition.request.SearchScope;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.server.control.ResponseControl;
import org.alder.server.control.search.Dereference;
import org.alder.server.directory.Directory;
import org.alder.server.directory.EntryCursor;
import org.alder.server.directory.EntryCursor.Step;
import org.alder.server.directory.FoundEntry;
import org.alder.server.directory.OperationContext;
import org.alder.server.directory.OperationOptions;
import org.alder.server.directory.SearchPosition;
import org.alder.server.directory.SearchRequest;
import org.alder.server.directory.ValueCursor;
import org.alder.server.protocol.encode.AttributeSelection;
import org.alder.server.protocol.encode.EntryControls;
import org.alder.server.protocol.encode.EntryEncoder;
import org.alder.server.resource.MemoryBudget;

/**
 * The dereference control of each entry that a search returns: what the entries are that it names. They are read in the client's
 * name, each by a search of its own, so nothing is told that the client could not have read. A DN whose entry cannot be read
 * comes without attributes. One thread at a time.
 */
final class DereferencedEntries implements EntryControls {
    private static final int MOST_BYTES = 32 << 20;
    /** The control as it is gathered, as a value, and in its message. */
    private static final int COPIES = 3;
    /** More is counted at a time than is needed. */
    private static final int STEP_BYTES = 64 << 10;
    private static final int ATTRIBUTES = 0xA0;
    private static final String DN_SYNTAX = "1.3.6.1.4.1.1466.115.121.1.12";
    private static final String NAME_AND_OPTIONAL_UID_SYNTAX = "1.3.6.1.4.1.1466.115.121.1.34";
    private static final Filter ALL = new Filter.Present("objectClass");

    private final Directory directory;
    private final Schema schema;
    private final OperationContext context;
    private final MemoryBudget.Share memory;
    private final Patience patience;
    private long counted;
    private final List<Source> sources = new ArrayList<>(1);

    /** An attribute that names entries. */
    private record Source(String name, AttributeDescription attribute, EntryEncoder encoder) {
    }

    private DereferencedEntries(Directory directory, Schema schema, OperationContext context, MemoryBudget.Share memory,
            Patience patience) {
        this.memory = memory;
        this.patience = patience;
        this.directory = directory;
        this.schema = schema;
        this.context = context.withOptions(OperationOptions.NONE);
    }

    /**
     * @param memory counts what is gathered for an entry
     * @param patience how long the client waits; one entry may name as many as a group has members
     * @param critical whether the client does without the search rather than without an attribute that is not one of DNs
     * @throws DirectoryException protocolError for such an attribute
     */
    static EntryControls of(Directory directory, Schema schema, OperationContext context, MemoryBudget.Share memory,
            Patience patience, List<Dereference.Spec> specs, boolean critical) throws DirectoryException {
        DereferencedEntries entries = new DereferencedEntries(directory, schema, context, memory, patience);
        for (Dereference.Spec spec : specs) {
            AttributeDescription attribute = schema.descriptionOrNull(spec.attribute());
            if (attribute != null && namesEntries(attribute)) {
                AttributeSelection selection = new AttributeSelection(schema, spec.attributes());
                entries.sources.add(new Source(spec.attribute(), attribute, new EntryEncoder(schema, selection, false)));
            } else if (critical) {
                throw new DirectoryException(ResultCode.PROTOCOL_ERROR, "dereference control: " + spec.attribute()
                        + " is not an attribute whose values are DNs");
            }
        }
        return entries.sources.isEmpty() ? NONE : entries;
    }

    private static boolean namesEntries(AttributeDescription attribute) {
        String syntax = attribute.type().syntaxOid();
        return syntax.equals(DN_SYNTAX) || syntax.equals(NAME_AND_OPTIONAL_UID_SYNTAX);
    }

    @Override
    public List<ResponseControl> of(EntryCursor entry) throws DirectoryException {
        try {
            return gathered(entry);
        } finally {
            memory.shrink(counted);
            counted = 0;
        }
    }

    private List<ResponseControl> gathered(EntryCursor entry) throws DirectoryException {
        BerWriter out = new BerWriter(256);
        int all = out.begin(BerWriter.SEQUENCE);
        int empty = out.size();
        for (Source source : sources) {
            writeStored(out, entry, source);
            writeLarge(out, entry, source);
            writeVirtual(out, entry, source);
        }
        if (out.size() == empty) {
            return List.of();
        }
        out.end(all);
        return List.of(new ResponseControl(Dereference.CONTROL.oid(), out.toByteArray()));
    }

    private void writeStored(BerWriter out, EntryCursor entry, Source source) throws DirectoryException {
        AttributeCursor stored = entry.attributes().cursor(true);
        while (stored.next()) {
            if (isRead(schema.descriptionOrNull(stored.bytes(), stored.nameOffset(), stored.nameLength()), source, entry)) {
                AttributeType type = schema.descriptionOrNull(stored.bytes(), stored.nameOffset(), stored.nameLength()).type();
                for (byte[] value : stored.values()) {
                    writeReadable(out, entry, source, type, value);
                }
            }
        }
    }

    private void writeLarge(BerWriter out, EntryCursor entry, Source source) throws DirectoryException {
        for (LargeAttribute attribute : entry.attributes().largeAttributes()) {
            if (isRead(schema.descriptionOrNull(attribute.description()), source, entry)) {
                try (ValueCursor values = entry.openValues(attribute)) {
                    AttributeType type = schema.descriptionOrNull(attribute.description()).type();
                    while (values.next()) {
                        writeReadable(out, entry, source, type, values.value());
                    }
                }
            }
        }
    }

    private void writeVirtual(BerWriter out, EntryCursor entry, Source source) throws DirectoryException {
        for (Attribute attribute : entry.virtualAttributes(source.attribute.type()::equals)) {
            if (isRead(schema.descriptionOrNull(attribute.description()), source, entry)) {
                for (byte[] value : attribute.values()) {
                    writeReadable(out, entry, source, source.attribute.type(), value);
                }
            }
        }
    }

    private void writeReadable(BerWriter out, EntryCursor entry, Source source, AttributeType type, byte[] value)
            throws DirectoryException {
        ValueTest readable = entry.access().readable(type);
        if (readable == null || readable.matches(value, 0, value.length)) {
            write(out, entry, source, value);
        }
    }

    private static boolean isRead(AttributeDescription stored, Source source, FoundEntry entry) {
        return stored != null && stored.isSubtypeOf(source.attribute) && entry.access().mayRead(stored.type());
    }

    private void write(BerWriter out, EntryCursor entry, Source source, byte[] value) throws DirectoryException {
        patience.check();
        entry.requireTime();
        int result = out.begin(BerWriter.SEQUENCE);
        out.string(BerWriter.OCTET_STRING, source.name);
        out.octets(BerWriter.OCTET_STRING, value);
        writeNamed(out, source, value);
        out.end(result);
        long needed = (long) COPIES * out.size();
        if (needed > counted) {
            memory.grow(needed - counted + STEP_BYTES);
            counted = needed + STEP_BYTES;
        }
        if (out.size() > MOST_BYTES) {
            throw new DirectoryException(ResultCode.ADMIN_LIMIT_EXCEEDED, "the entries that " + source.name
                    + " of one entry names are too many to be dereferenced: search for them");
        }
    }

    private void writeNamed(BerWriter out, Source source, byte[] value) {
        int start = out.size();
        try (EntryCursor cursor = directory.search(context, base(value))) {
            if (cursor.step(Integer.MAX_VALUE) == Step.MATCH) {
                int attributes = out.begin(ATTRIBUTES);
                int empty = out.size();
                source.encoder.writeAttributes(out, cursor);
                if (out.size() == empty) {
                    out.truncate(start);
                } else {
                    out.end(attributes);
                }
            }
        } catch (DirectoryException e) {
            // No such entry, or none that the client may read, or not a DN: the value alone is what can be told.
            out.truncate(start);
        }
    }

    private SearchRequest base(byte[] value) throws DirectoryException {
        return new SearchRequest(Dn.parse(schema, value), SearchScope.BASE, ALL, 0, 0, 0,
                true, false, SearchPosition.START);
    }
}
