package org.alder.server.control;

/** The operations that a control may be attached to with an effect. */
public enum OperationKind {
    BIND, SEARCH, COMPARE, ADD, DELETE, MODIFY, MODIFY_DN, EXTENDED
}
