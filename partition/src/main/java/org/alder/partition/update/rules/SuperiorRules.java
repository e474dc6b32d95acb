package org.alder.partition.update.rules;

import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.schema.ObjectClass;
import org.alder.partition.schema.Schema;
import org.alder.partition.schema.StoredValues;
import org.alder.partition.tree.EntryView;

/** Which entries may have others below them. */
public final class SuperiorRules {
    private final Schema schema;
    private final ObjectClass alias;
    private final ObjectClass referral;

    public SuperiorRules(Schema schema) {
        this.schema = schema;
        alias = schema.objectClass("alias");
        referral = schema.objectClass("referral");
    }

    /**
     * @throws DirectoryException aliasProblem: an alias is a leaf (RFC 4512 2.6); unwillingToPerform: what is below a referral
     *     object is held by other servers (RFC 3296 2.3)
     */
    public void check(EntryView superior) throws DirectoryException {
        for (ObjectClass known : StoredValues.classes(schema, superior.record())) {
            refuseSpecial(superior, known);
        }
    }

    private void refuseSpecial(EntryView superior, ObjectClass known) throws DirectoryException {
        if (known.isSubclassOf(alias)) {
            throw new DirectoryException(ResultCode.ALIAS_PROBLEM,
                    "the superior entry \"" + superior.dn() + "\" is an alias, and an alias has no entries below it");
        }
        if (known.isSubclassOf(referral)) {
            throw new DirectoryException(ResultCode.UNWILLING_TO_PERFORM, "the superior entry \"" + superior.dn()
                    + "\" is a referral object: other servers hold what is below it");
        }
    }
}
