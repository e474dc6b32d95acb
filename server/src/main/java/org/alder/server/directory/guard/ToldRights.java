package org.alder.server.directory.guard;

import org.alder.partition.schema.AttributeType;
import org.alder.server.access.EntryRights;
import org.alder.server.access.Right;
import org.alder.server.directory.EffectiveRights;

/**
 * Rights as clients are told of them. A right to some values only is told like one to all.
 *
 * @param objectClass what every entry that is added has
 */
record ToldRights(EntryRights rights, AttributeType objectClass) implements EffectiveRights {
    @Override
    public String ofEntry() {
        return (rights.mayAny(Right.ADD, objectClass) ? "a" : "") + (rights.may(Right.DELETE) ? "d" : "")
                + (rights.may(Right.RENAME_OUT) ? "n" : "") + (rights.mayFind() ? "v" : "");
    }

    @Override
    public String of(AttributeType type) {
        return letters(Right.READ, type, "r") + letters(Right.SEARCH, type, "s") + letters(Right.WRITE, type, "wo")
                + letters(Right.COMPARE, type, "c") + (type.holdsNames() ? letters(Right.SELF_WRITE, type, "WO") : "");
    }

    private String letters(Right right, AttributeType type, String letters) {
        return rights.mayAny(right, type) ? letters : "";
    }
}
