package org.alder.server.protocol;

import java.util.Arrays;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.EntryRecord.AttributeCursor;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.server.directory.AttributeAccess;
import org.alder.server.directory.EntryCursor;

/**
 * Encodes search result entries (RFC 4511 4.5.2) by copying from entry records: all user attributes at once where all are wanted
 * and allowed, else attribute by attribute; values are never decoded. One thread.
 */
final class EntryEncoder {
    private final Schema schema;
    private final AttributeSelection selection;
    private final boolean typesOnly;
    private final boolean operational;

    EntryEncoder(Schema schema, AttributeSelection selection, boolean typesOnly) {
        this.schema = schema;
        this.selection = selection;
        this.typesOnly = typesOnly;
        this.operational = selection.reachesOperational();
    }

    /** Writes the entry the cursor stands on as one whole message. */
    void write(BerWriter out, int messageId, EntryCursor cursor) {
        int message = out.begin(BerWriter.SEQUENCE);
        out.integer(BerWriter.INTEGER, messageId);
        int operation = out.begin(Responses.SEARCH_ENTRY);
        cursor.writeDn(out);
        int attributes = out.begin(BerWriter.SEQUENCE);
        if (!selection.isNothing()) {
            writeAttributes(out, cursor.record(), cursor.access());
            if (operational) {
                writeVirtual(out, cursor);
            }
        }
        out.end(attributes);
        out.end(operation);
        out.end(message);
    }

    private void writeAttributes(BerWriter out, EntryRecord record, AttributeAccess access) {
        if (selection.isAllUserAsStored() && !operational && !typesOnly && access == AttributeAccess.ALL) {
            out.raw(record.buffer(), record.userOffset(), record.operationalOffset() - record.userOffset());
            return;
        }
        AttributeCursor stored = record.cursor(operational);
        while (stored.next()) {
            writeStored(out, stored, access);
        }
    }

    private void writeStored(BerWriter out, AttributeCursor stored, AttributeAccess access) {
        AttributeDescription description = schema.descriptionOrNull(stored.bytes(), stored.nameOffset(), stored.nameLength());
        if (description == null) {
            if (selection.selectsUnknown(stored.description(), stored.isOperational())) {
                copy(out, stored);
            }
            return;
        }
        byte[] name = access.mayRead(description.type()) ? selection.nameFor(description, stored.isOperational()) : null;
        if (name == null) {
            return;
        }
        if (isSpelt(stored, name)) {
            copy(out, stored);
        } else {
            copyRenamed(out, stored, name);
        }
    }

    private static boolean isSpelt(AttributeCursor stored, byte[] name) {
        int from = stored.nameOffset();
        return Arrays.equals(name, 0, name.length, stored.bytes(), from, from + stored.nameLength());
    }

    private void copy(BerWriter out, AttributeCursor stored) {
        if (typesOnly) {
            int from = stored.nameOffset();
            writeType(out, Arrays.copyOfRange(stored.bytes(), from, from + stored.nameLength()));
        } else {
            out.raw(stored.bytes(), stored.offset(), stored.length());
        }
    }

    private void copyRenamed(BerWriter out, AttributeCursor stored, byte[] name) {
        if (typesOnly) {
            writeType(out, name);
            return;
        }
        int values = stored.nameOffset() + stored.nameLength();
        int sequence = out.begin(BerWriter.SEQUENCE);
        out.octets(BerWriter.OCTET_STRING, name);
        out.raw(stored.bytes(), values, stored.offset() + stored.length() - values);
        out.end(sequence);
    }

    private static void writeType(BerWriter out, byte[] name) {
        int sequence = out.begin(BerWriter.SEQUENCE);
        out.octets(BerWriter.OCTET_STRING, name);
        out.end(out.begin(BerWriter.SET));
        out.end(sequence);
    }

    private void writeVirtual(BerWriter out, EntryCursor cursor) {
        AttributeAccess access = cursor.access();
        for (Attribute attribute : cursor.virtualAttributes(type -> isWanted(type, access))) {
            byte[] name = selection.nameFor(schema.descriptionOrNull(attribute.description()), true);
            if (typesOnly) {
                writeType(out, name);
                continue;
            }
            int sequence = out.begin(BerWriter.SEQUENCE);
            out.octets(BerWriter.OCTET_STRING, name);
            int values = out.begin(BerWriter.SET);
            attribute.values().forEach(value -> out.octets(BerWriter.OCTET_STRING, value));
            out.end(values);
            out.end(sequence);
        }
    }

    private boolean isWanted(AttributeType type, AttributeAccess access) {
        return selection.selectsOperational(type) && access.mayRead(type);
    }
}
