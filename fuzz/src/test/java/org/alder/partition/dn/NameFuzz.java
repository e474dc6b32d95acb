package org.alder.partition.dn;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.DN;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.RDN;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.schema.Schema;
import org.alder.partition.testing.TestDirectory;
import org.alder.partition.text.Utf8;

/** A name is what its text says, however often it is written and read, and the same to an independent reader. */
public final class NameFuzz {
    private static final Schema SCHEMA = TestDirectory.SCHEMA;

    private NameFuzz() {
    }

    public static void name(byte[] input) throws DirectoryException {
        Dn name;
        try {
            name = Dn.parse(SCHEMA, input);
        } catch (DirectoryException e) {
            assertEquals(e.getMessage(), ResultCode.INVALID_DN_SYNTAX, e.resultCode());
            return;
        }
        Dn rebuilt = Dn.ROOT;
        for (int level = name.size() - 1; level >= 0; level--) {
            rebuilt = rebuilt.child(Rdn.parse(SCHEMA, name.rdn(level).text()));
        }
        assertEquals(name, rebuilt);
        assertArrayEquals(name.normalized(), rebuilt.normalized());
        assertEquals(name, Dn.parse(SCHEMA, rebuilt.text()));
        assertTrue(name.isDescendantOrSelf(name.ancestor(name.size() / 2)));
        compare(name);
    }

    private static void compare(Dn name) {
        if (name.text().matches("(?s).*([\"#]|\\\\\\\\ ).*")) {
            // UnboundID cuts spaces off the end of quoted values, takes what follows a number sign with the BER around it, and a space
            // behind an escaped backslash for one that is escaped.
            return;
        }
        DN other;
        try {
            other = new DN(name.text());
        } catch (LDAPException e) {
            throw new AssertionError("another library refuses " + name.text(), e);
        }
        RDN[] rdns = other.getRDNs();
        assertEquals(name.text(), name.size(), rdns.length);
        for (int level = 0; level < rdns.length; level++) {
            Rdn rdn = name.rdn(level);
            assertEquals(name.text(), rdn.avas().size(), rdns[level].getByteArrayAttributeValues().length);
            for (int i = 0; i < rdn.avas().size(); i++) {
                byte[] value = rdn.avas().get(i).value();
                // UnboundID takes octets that are escaped for characters, and another one for those that are none.
                if (Utf8.decodeOrNull(value) != null) {
                    assertArrayEquals(name.text(), rdns[level].getByteArrayAttributeValues()[i], value);
                }
            }
        }
    }
}
