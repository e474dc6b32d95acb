package org.alder.ldif;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** A {@code changetype: modify} record: its modifications are to be applied in order, all or none. */
public record LdifModify(long line, String dn, List<LdifControl> controls, List<Modification> modifications)
    implements LdifRecord {

    public LdifModify {
        controls = List.copyOf(controls);
        modifications = List.copyOf(modifications);
    }

    /** What is done with the values; INCREMENT is RFC 4525. */
    public enum Kind { ADD, DELETE, REPLACE, INCREMENT }

    /** One change of one attribute. Without values, DELETE and REPLACE remove the attribute. */
    public record Modification(Kind kind, String description, List<byte[]> values) {

        public Modification {
            values = List.copyOf(values);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Modification that && kind == that.kind && description.equals(that.description)
                && Arrays.deepEquals(values.toArray(), that.values.toArray());
        }

        @Override
        public int hashCode() {
            return Objects.hash(kind, description, Arrays.deepHashCode(values.toArray()));
        }
    }
}
