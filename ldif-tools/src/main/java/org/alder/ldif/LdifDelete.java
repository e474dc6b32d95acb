package org.alder.ldif;

import java.util.List;

/** A {@code changetype: delete} record. */
public record LdifDelete(long line, String dn, List<LdifControl> controls) implements LdifRecord {

    public LdifDelete {
        controls = List.copyOf(controls);
    }
}
