package org.alder.ldif;

import java.util.List;

/**
 * An entry: a content record or a {@code changetype: add}. Attributes stand in file order, one element per value; the
 * same description may occur several times and apart. At least one attribute is there when the entry came from a reader.
 */
public record LdifEntry(long line, String dn, List<LdifControl> controls, List<LdifAttribute> attributes) implements LdifRecord {

    public LdifEntry {
        controls = List.copyOf(controls);
        attributes = List.copyOf(attributes);
    }

    /** An entry that was not read from a file. */
    public LdifEntry(String dn, List<LdifAttribute> attributes) {
        this(0, dn, List.of(), attributes);
    }
}
