package org.alder.server.control;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.alder.partition.error.DirectoryException;

/** Controls that say all by being there and have no value. */
public final class MarkerControl implements ControlHandler<Boolean> {
    /** What a modify adds may be there, and what it deletes may be missing ([MS-ADTS] 3.1.1.3.4.1.8). */
    public static final MarkerControl PERMISSIVE_MODIFY =
            new MarkerControl("permissive modify", "1.2.840.113556.1.4.1413", EnumSet.of(OperationKind.MODIFY));
    /** A delete takes all that is below the entry with it (draft-armijo-ldap-treedelete). */
    public static final MarkerControl TREE_DELETE =
            new MarkerControl("tree delete", "1.2.840.113556.1.4.805", EnumSet.of(OperationKind.DELETE));
    /** An update is tried and not made (draft-zeilenga-ldap-noop). OpenLDAP's tools send it under the second OID. */
    public static final MarkerControl NO_OPERATION = new MarkerControl("no-op", "1.3.6.1.4.1.4203.1.10.2",
            EnumSet.of(OperationKind.ADD, OperationKind.DELETE, OperationKind.MODIFY, OperationKind.MODIFY_DN),
            "1.3.6.1.4.1.4203.666.5.2");
    /**
     * An add may bring attributes that the server maintains, such as entryUUID, and a modify may change those by which no entry is
     * known, such as createTimestamp (draft-zeilenga-ldap-relax). A delete has no rules that could be relaxed, but OpenLDAP's tools
     * send it there too.
     */
    public static final MarkerControl RELAX_RULES = new MarkerControl("relax rules", "1.3.6.1.4.1.4203.666.5.12",
            EnumSet.of(OperationKind.ADD, OperationKind.MODIFY, OperationKind.DELETE));

    /** A bind is answered with the authorization identity (RFC 3829). */
    public static final MarkerControl AUTHORIZATION_IDENTITY =
            new MarkerControl("authorization identity", "2.16.840.1.113730.3.4.16", EnumSet.of(OperationKind.BIND));
    /** The response tells what a password policy has to say (draft-behera-ldap-password-policy-10 6.1): {@link PolicyControls}. */
    public static final MarkerControl PASSWORD_POLICY =
            new MarkerControl("password policy", PolicyControls.PASSWORD_POLICY, EnumSet.allOf(OperationKind.class));
    /** Only the original of an entry is read, no copy of what another server has (RFC 6171). */
    public static final MarkerControl DONT_USE_COPY =
            new MarkerControl("don't use copy", "1.3.6.1.1.22", EnumSet.of(OperationKind.SEARCH, OperationKind.COMPARE));
    /** A search sends no continuation references ([MS-ADTS] 3.1.1.3.4.1.4). */
    public static final MarkerControl DOMAIN_SCOPE =
            new MarkerControl("domain scope", "1.2.840.113556.1.4.1339", EnumSet.of(OperationKind.SEARCH));

    /** Of entries comes what is stored, and nothing that is worked out (2.16.840.1.113730.3.4.17 of Sun's directory server). */
    public static final MarkerControl REAL_ATTRIBUTES_ONLY =
            new MarkerControl("real attributes only", "2.16.840.1.113730.3.4.17", EnumSet.of(OperationKind.SEARCH));
    /** Of entries comes what is worked out, and nothing that is stored. */
    public static final MarkerControl VIRTUAL_ATTRIBUTES_ONLY =
            new MarkerControl("virtual attributes only", "2.16.840.1.113730.3.4.19", EnumSet.of(OperationKind.SEARCH));
    /** A search that would have to look at all entries for want of an index is refused (UnboundID LDAP SDK). */
    public static final MarkerControl REJECT_UNINDEXED =
            new MarkerControl("reject unindexed search", "1.3.6.1.4.1.30221.2.5.54", EnumSet.of(OperationKind.SEARCH));

    /**
     * The client would give durability for speed ([MS-ADTS] 3.1.1.3.4.1.22): a leave, not a demand, and not taken. Updates that
     * wait together for the disk share one wait, and what is acknowledged stays.
     */
    public static final MarkerControl LAZY_COMMIT = new MarkerControl("lazy commit", "1.2.840.113556.1.4.619",
            EnumSet.of(OperationKind.ADD, OperationKind.DELETE, OperationKind.MODIFY, OperationKind.MODIFY_DN));

    private final String name;
    private final String oid;
    private final Set<OperationKind> operations;
    private final List<String> otherOids;

    private MarkerControl(String name, String oid, Set<OperationKind> operations, String... otherOids) {
        this.name = name;
        this.oid = oid;
        this.operations = operations;
        this.otherOids = List.of(otherOids);
    }

    @Override
    public String oid() {
        return oid;
    }

    @Override
    public List<String> otherOids() {
        return otherOids;
    }

    @Override
    public Set<OperationKind> operations() {
        return operations;
    }

    @Override
    public Boolean decode(byte[] value, RequestLimits limits) throws DirectoryException {
        return ControlValue.none(name, value);
    }
}
