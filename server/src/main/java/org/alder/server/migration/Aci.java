package org.alder.server.migration;

import java.util.List;

/**
 * One access control instruction, a value of {@code aci}, as 389 Directory Server and OpenDJ have them, taken apart. Immutable.
 *
 * @param targets     what it is about, in their order
 * @param permissions at least one
 */
record Aci(String name, List<Target> targets, List<Permission> permissions) {
    Aci {
        targets = List.copyOf(targets);
        permissions = List.copyOf(permissions);
    }

    /** @param keyword in lower case, such as targetattr @param isNot whether it says {@code !=} @param value without quotation marks */
    record Target(String keyword, boolean isNot, String value) {
        @Override
        public String toString() {
            return keyword + (isNot ? "!=" : "=") + value;
        }
    }

    /** @param rights in lower case @param bindRule for whom, as it stands there */
    record Permission(boolean isAllow, List<String> rights, String bindRule) {
        Permission {
            rights = List.copyOf(rights);
        }
    }
}
