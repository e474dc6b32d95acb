package org.alder.ldif;

import java.util.List;

/** A {@code changetype: modrdn} or {@code moddn} record. {@code newSuperior} is null when the entry stays under its parent. */
public record LdifModifyDn(long line, String dn, List<LdifControl> controls, String newRdn, boolean deleteOldRdn,
                           String newSuperior) implements LdifRecord {

    public LdifModifyDn {
        controls = List.copyOf(controls);
    }
}
