package org.alder.server.cli.data;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;
import org.alder.ldif.LdifAttribute;
import org.alder.ldif.LdifEntry;
import org.alder.partition.dn.Dn;
import org.alder.partition.dn.Rdn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.partition.text.Utf8;

/**
 * Locks of 389 Directory Server that stand in no account: roles that are disabled as a whole, and classes of service that give
 * nsAccountLock. Nothing reads them here, so a load says whom they kept out. One thread.
 */
final class ImportedLocks {
    private static final int MOST_SHOWN = 20;

    private final Schema schema;
    private final AttributeType role;
    private final AttributeType classOfService;
    private final AttributeType lock;
    /** Those whose members are disabled one by one, as ns-inactivate.pl and dsidm do it. */
    private final Rdn disabledMembers;
    private final Rdn disabledRoles;
    /** The class of service by which 389 disables the members of these roles. */
    private final Rdn ofDisabledRoles;
    private final Set<String> found = new TreeSet<>();
    private boolean isLeftOut;

    ImportedLocks(Schema schema) {
        this.schema = schema;
        this.role = schema.attributeType("nsRoleDN");
        this.classOfService = schema.attributeType("cosAttribute");
        this.lock = schema.attributeType("nsAccountLock");
        this.disabledMembers = Dn.stored(schema, "cn=nsManagedDisabledRole").rdn();
        this.disabledRoles = Dn.stored(schema, "cn=nsDisabledRole").rdn();
        this.ofDisabledRoles = Dn.stored(schema, "cn=nsAccountInactivation_cos").rdn();
    }

    /** Whether {@link #note} has to see lines of this description. */
    boolean isPart(AttributeDescription description) {
        return description.type() == role || description.type() == classOfService;
    }

    void note(LdifEntry entry, LdifAttribute line) {
        boolean isRole = schema.descriptionOrNull(line.description()).type() == role;
        try {
            Rdn rdn = rdn(entry.dn().getBytes(StandardCharsets.UTF_8));
            if (isRole && disabledRoles.equals(rdn) && !disabledMembers.equals(rdn(line.value()))) {
                add("the role \"" + Utf8.shown(line.value()) + "\" is disabled as a whole (" + entry.dn() + ")");
            } else if (!isRole && gives(line.value()) == lock && !ofDisabledRoles.equals(rdn)) {
                add("the class of service \"" + entry.dn() + "\" gives nsAccountLock");
            }
        } catch (DirectoryException e) {
            // Names that are none are refused where entries are stored.
        }
    }

    private Rdn rdn(byte[] name) throws DirectoryException {
        Dn dn = Dn.parse(schema, name);
        return dn.isRoot() ? null : dn.rdn();
    }

    /** Behind the attribute stands how it is given, such as operational. Null for none that the schema has. */
    private AttributeType gives(byte[] value) {
        return schema.attributeType(Utf8.shown(value).trim().split("\\s")[0]);
    }

    private void add(String what) {
        if (found.size() < MOST_SHOWN) {
            found.add(what);
        } else {
            isLeftOut = true;
        }
    }

    void warn() {
        found.forEach(what -> System.err.println("alder: warning: " + what + " in 389 Directory Server: whom that kept out can log in here,"
                + " until nsAccountLock: true is written into his entry (docs/password-policy.md)"));
        if (isLeftOut) {
            System.err.println("alder: warning: there are more roles and classes of service of that kind");
        }
    }
}
