package org.alder.server.protocol.encode;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryAttributes;
import org.alder.partition.entry.LargeAttribute;
import org.alder.partition.entry.Octets;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.server.control.MarkerControl;
import org.alder.server.control.RequestControls;
import org.alder.server.directory.EntryCursor;
import org.alder.server.directory.EntryCursorFilter;
import org.alder.server.directory.ValueCursor;

/**
 * Where the attributes come from that a search returns. Worked out, and not stored, are virtual operational attributes,
 * collective attributes, and the members of dynamic groups.
 */
public enum AttributeOrigin {
    ANY, REAL, VIRTUAL;

    /** @throws DirectoryException protocolError if a search is to return the ones only and the others only */
    public static AttributeOrigin of(RequestControls accepted) throws DirectoryException {
        boolean real = accepted.has(MarkerControl.REAL_ATTRIBUTES_ONLY);
        boolean virtual = accepted.has(MarkerControl.VIRTUAL_ATTRIBUTES_ONLY);
        if (real && virtual) {
            throw new DirectoryException(ResultCode.PROTOCOL_ERROR, "the controls "
                    + MarkerControl.REAL_ATTRIBUTES_ONLY.oid() + " and " + MarkerControl.VIRTUAL_ATTRIBUTES_ONLY.oid()
                    + " cannot be combined");
        }
        return real ? REAL : virtual ? VIRTUAL : ANY;
    }

    /** The same entry with only those attributes. */
    EntryCursor of(EntryCursor entry, Schema schema) {
        return switch (this) {
            case ANY -> entry;
            case REAL -> new Real(entry);
            case VIRTUAL -> new Virtual(entry, schema);
        };
    }

    private static final class Real extends EntryCursorFilter {
        Real(EntryCursor entry) {
            super(entry);
        }

        @Override
        public EntryAttributes attributes() {
            return stored();
        }

        @Override
        public void complete(Predicate<AttributeType> wanted) {
            // What is worked out is not wanted.
        }

        @Override
        public List<Attribute> virtualAttributes(Predicate<AttributeType> wanted) {
            return List.of();
        }
    }

    private static final class Virtual extends EntryCursorFilter {
        private final Schema schema;
        private EntryAttributes difference;

        Virtual(EntryCursor entry, Schema schema) {
            super(entry);
            this.schema = schema;
        }

        @Override
        public void complete(Predicate<AttributeType> wanted) throws DirectoryException {
            super.complete(wanted);
            difference = null;
        }

        @Override
        public EntryAttributes attributes() {
            if (difference == null) {
                difference = difference(stored(), super.attributes());
            }
            return difference;
        }

        private EntryAttributes difference(EntryAttributes stored, EntryAttributes whole) {
            List<Attribute> more = new ArrayList<>();
            if (whole != stored) {
                for (Attribute attribute : whole.userAttributes()) {
                    Set<Octets> known = values(stored, attribute.description());
                    more.add(new Attribute(attribute.description(), attribute.values().stream()
                            .filter(value -> !known.contains(new Octets(value))).toList()));
                }
            }
            return EntryAttributes.of(more);
        }

        private Set<Octets> values(EntryAttributes stored, String description) {
            AttributeDescription sought = schema.descriptionOrNull(description);
            Set<Octets> known = new HashSet<>();
            for (Attribute attribute : stored.userAttributes()) {
                if (isSame(attribute.description(), sought, description)) {
                    attribute.values().forEach(value -> known.add(new Octets(value)));
                }
            }
            for (LargeAttribute attribute : stored.largeAttributes()) {
                if (isSame(attribute.description(), sought, description)) {
                    try (ValueCursor values = openValues(attribute)) {
                        while (values.next()) {
                            known.add(new Octets(values.value().clone()));
                        }
                    }
                }
            }
            return known;
        }

        /** An entry may have the attribute under another of its type's names; what the schema does not know has one name only. */
        private boolean isSame(String stored, AttributeDescription sought, String description) {
            return sought == null ? stored.equalsIgnoreCase(description) : sought.equals(schema.descriptionOrNull(stored));
        }
    }
}
