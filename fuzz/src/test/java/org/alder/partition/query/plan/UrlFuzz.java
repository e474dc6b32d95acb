package org.alder.partition.query.plan;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPURL;
import com.unboundid.ldap.sdk.SearchScope;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.filter.FilterFuzz;
import org.alder.partition.filter.Filters;
import org.alder.partition.testing.TestDirectory;

/** URLs in memberURL: each is a search that is what another library takes it for, or is refused. */
public final class UrlFuzz {
    private static final Set<ResultCode> REFUSALS = Set.of(ResultCode.INVALID_ATTRIBUTE_SYNTAX, ResultCode.INVALID_DN_SYNTAX,
            ResultCode.PROTOCOL_ERROR, ResultCode.ADMIN_LIMIT_EXCEEDED);

    private UrlFuzz() {
    }

    public static void member(byte[] input) {
        String text = new String(input, StandardCharsets.UTF_8);
        MemberUrl url;
        try {
            url = MemberUrl.parse(TestDirectory.SCHEMA, text);
        } catch (DirectoryException e) {
            assertTrue(e.resultCode() + " " + e.getMessage(), REFUSALS.contains(e.resultCode()));
            return;
        }
        assertFalse("passwords", Filters.format(url.filter()).toLowerCase(Locale.ROOT).contains("(userpassword="));
        compare(text, url);
    }

    private static void compare(String text, MemberUrl url) {
        if (text.chars().filter(c -> c == '?').count() > 3) {
            // It takes extensions for a part of the filter.
            return;
        }
        LDAPURL other;
        try {
            other = new LDAPURL(text);
        } catch (LDAPException e) {
            // It does not know the scope children.
            return;
        }
        if (other.scopeProvided() && !other.getScope().equals(SearchScope.SUBORDINATE_SUBTREE)) {
            assertEquals(text, other.getScope().intValue(), url.scope().ordinal());
        }
        assertEquals(text, other.getBaseDN().getRDNs().length, url.base().size());
        if (other.filterProvided() && FilterFuzz.isText(url.filter()) && FilterFuzz.isText(other.getFilter())) {
            assertArrayEquals(text, other.getFilter().encode().encode(), FilterFuzz.encoded(url.filter()));
        }
    }
}
