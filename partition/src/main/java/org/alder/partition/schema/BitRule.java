package org.alder.partition.schema;

import java.math.BigInteger;
import org.alder.partition.error.DirectoryException;

/**
 * integerBitAndMatch and integerBitOrMatch (Active Directory's LDAP_MATCHING_RULE_BIT_AND and _BIT_OR), for extensible matches:
 * a value matches if it has all bits of the asserted number, or one of them. Negative numbers are endless ones at the left.
 */
final class BitRule implements MatchingRule {
    private static final String INTEGER = "1.3.6.1.4.1.1466.115.121.1.27";

    private final String oid;
    private final String name;
    private final boolean all;

    BitRule(String oid, String name, boolean all) {
        this.oid = oid;
        this.name = name;
        this.all = all;
    }

    @Override
    public String oid() {
        return oid;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String syntaxOid() {
        return INTEGER;
    }

    @Override
    public byte[] normalize(byte[] value) throws DirectoryException {
        return IntegerForm.number(value).toByteArray();
    }

    @Override
    public boolean comparesForms() {
        return false;
    }

    @Override
    public boolean matches(byte[] value, byte[] assertion) throws DirectoryException {
        BigInteger asked = new BigInteger(assertion);
        BigInteger common = IntegerForm.number(value).and(asked);
        return all ? common.equals(asked) : common.signum() != 0;
    }
}
