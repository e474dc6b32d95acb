package org.alder.server.control;

import java.util.Locale;

/** The operations that a control may be attached to with an effect. */
public enum OperationKind {
    BIND, SEARCH, COMPARE, ADD, DELETE, MODIFY, MODIFY_DN, EXTENDED;

    /** As it is shown, such as {@code modify-dn}. */
    public String words() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
