package org.alder.server.directory;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Predicate;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryAttributes;
import org.alder.partition.entry.LargeAttribute;
import org.alder.partition.filter.AttributeAccess;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.partition.tree.EntryView;

/** An entry as it was at one moment of an update, kept beyond its snapshot. Immutable. */
public record CapturedEntry(Schema schema, EntryView entry, List<Attribute> virtual, AttributeAccess access) implements FoundEntry {
    @Override
    public String dn() {
        return entry.dn();
    }

    @Override
    public EntryAttributes attributes() {
        return entry.record();
    }

    @Override
    public ValueCursor openValues(LargeAttribute attribute) {
        throw new IllegalStateException("an entry that is kept beyond its snapshot has all values in its record");
    }

    @Override
    public void writeDn(BerWriter out) {
        out.octets(BerWriter.OCTET_STRING, entry.dn().getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public List<Attribute> virtualAttributes(Predicate<AttributeType> wanted) {
        return virtual.stream().filter(attribute -> wanted.test(schema.attributeType(attribute.description()))).toList();
    }
}
