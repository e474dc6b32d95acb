package org.alder.partition.dn;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.NameParser;
import org.alder.partition.schema.NameSink;
import org.alder.partition.schema.Schema;
import org.alder.partition.text.Utf8;

/** Finds names that have one of some attribute types in them. Immutable, thread safe. */
public final class MentionedTypes {
    private final Schema schema;
    private final Set<AttributeType> types;
    private final List<byte[]> spellings = new ArrayList<>();

    public MentionedTypes(Schema schema, Collection<AttributeType> types) {
        this.schema = schema;
        this.types = Set.copyOf(types);
        types.forEach(type -> spellings.addAll(List.of(type.spellings())));
    }

    /**
     * The first of the types, from the leaf to the top, that a name has.
     *
     * @param value a DN, or one with a unique identifier behind it, in UTF-8; what is none has none of them
     */
    public AttributeType in(byte[] value) {
        return mayBeIn(value) ? parsed(value) : null;
    }

    /**
     * Whether the normal form of a name may depend on one of the types: also if it cannot be read, or has a value that is a name itself,
     * in which anything may be escaped.
     */
    public boolean mayShape(byte[] value) {
        if (!mayBeIn(value) && indexOf(value, '\\') < 0 && indexOf(value, '#') < 0) {
            return false;
        }
        String name = Utf8.decodeOrNull(value);
        if (name == null) {
            return true;
        }
        boolean[] found = new boolean[1];
        try {
            NameParser.parseDn(schema, name.substring(0, NameParser.uidStart(name)), new TypeSink(type -> found[0] |= type != null && (types.contains(type)
                    || type.holdsNames())));
            return found[0];
        } catch (DirectoryException e) {
            return true;
        }
    }

    private static int indexOf(byte[] value, char wanted) {
        int at = 0;
        while (at < value.length && value[at] != wanted) {
            at++;
        }
        return at < value.length ? at : -1;
    }

    /** Only the types are wanted. */
    private record TypeSink(Consumer<AttributeType> types) implements NameSink {
        @Override
        public void ava(AttributeType type, String typeText, byte[] avaValue) {
            types.accept(type);
        }

        @Override
        public void rdn(int start, int end, byte[] normalized) {
            // What it is as a whole does not matter.
        }
    }

    /** Whether a spelling of a type is there at all, which is quickly told and mostly not so. */
    private boolean mayBeIn(byte[] value) {
        for (byte[] spelling : spellings) {
            for (int at = 0; at + spelling.length <= value.length; at++) {
                if (isSpelt(value, at, spelling)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isSpelt(byte[] value, int at, byte[] lowerCase) {
        for (int i = 0; i < lowerCase.length; i++) {
            byte b = value[at + i];
            if (b != lowerCase[i] && (b < 'A' || b > 'Z' || b + 32 != lowerCase[i])) {
                return false;
            }
        }
        return true;
    }

    private AttributeType parsed(byte[] value) {
        String name = Utf8.decodeOrNull(value);
        if (name == null) {
            return null;
        }
        List<AttributeType> found = new ArrayList<>();
        try {
            NameParser.parseDn(schema, name.substring(0, NameParser.uidStart(name)), new TypeSink(type -> {
                if (type != null && types.contains(type)) {
                    found.add(type);
                }
            }));
        } catch (DirectoryException e) {
            return null;
        }
        return found.isEmpty() ? null : found.get(0);
    }
}
