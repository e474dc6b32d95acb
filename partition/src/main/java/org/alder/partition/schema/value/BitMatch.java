package org.alder.partition.schema.value;

import java.math.BigInteger;
import org.alder.partition.error.DirectoryException;

/**
 * integerBitAndMatch and integerBitOrMatch (Active Directory's LDAP_MATCHING_RULE_BIT_AND and _BIT_OR), for extensible matches:
 * a value matches if it has all bits of the asserted number, or one of them. Negative numbers are endless ones at the left.
 */
enum BitMatch implements TestedRule.Match {
    ALL, ANY;

    static byte[] form(byte[] value) throws DirectoryException {
        return IntegerForm.number(value).toByteArray();
    }

    @Override
    public boolean matches(byte[] value, byte[] assertion) throws DirectoryException {
        BigInteger asked = new BigInteger(assertion);
        BigInteger common = IntegerForm.number(value).and(asked);
        return this == ALL ? common.equals(asked) : common.signum() != 0;
    }
}
