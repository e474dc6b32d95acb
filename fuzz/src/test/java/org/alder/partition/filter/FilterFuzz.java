package org.alder.partition.filter;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;

import com.unboundid.ldap.sdk.LDAPException;
import java.nio.charset.StandardCharsets;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.testing.TestDirectory;

/** A filter is the same in all its forms, and the same to an independent reader. */
public final class FilterFuzz {
    private FilterFuzz() {
    }

    public static void ber(byte[] input) throws DirectoryException {
        Filter filter;
        try {
            filter = FilterDecoder.decode(new BerReader(input), FilterLimits.STANDARD);
        } catch (BerException | DirectoryException e) {
            return;
        }
        String text = Filters.format(filter);
        compile(filter);
        if (isText(filter)) {
            try {
                assertEquals(text, Filters.format(FilterParser.parse(text)));
            } catch (DirectoryException e) {
                throw new AssertionError(text, e);
            }
        }
    }

    /** Whether all names are such as text can have; in BER they are any string, also one that makes another filter of the text. */
    public static boolean isText(Filter filter) {
        if (filter instanceof Filter.And and) {
            return and.parts().stream().allMatch(FilterFuzz::isText);
        } else if (filter instanceof Filter.Or or) {
            return or.parts().stream().allMatch(FilterFuzz::isText);
        } else if (filter instanceof Filter.Not not) {
            return isText(not.part());
        } else if (filter instanceof Filter.Substring item) {
            return isName(item.description()) && item.any().stream().allMatch(piece -> piece.length > 0) && !isEmpty(item.initial())
                    && !isEmpty(item.last());
        } else if (filter instanceof Filter.Extensible item) {
            return (item.description() == null || isName(item.description())) && (item.rule() == null || isName(item.rule()))
                    && !"dn".equalsIgnoreCase(item.rule());
        }
        return isName(((Filter.Item) filter).description());
    }

    /** The same of another library's, which leaves spaces and control characters beside a name in it. */
    public static boolean isText(com.unboundid.ldap.sdk.Filter other) {
        return isText(decoded(other));
    }

    private static boolean isName(String name) {
        return name.matches("[A-Za-z0-9._;-]+");
    }

    private static boolean isEmpty(byte[] piece) {
        return piece != null && piece.length == 0;
    }

    public static void text(byte[] input) throws DirectoryException {
        String text = new String(input, StandardCharsets.UTF_8);
        Filter filter;
        try {
            filter = FilterParser.parse(text);
        } catch (DirectoryException e) {
            assertEquals(ResultCode.PROTOCOL_ERROR, e.resultCode());
            return;
        }
        String formatted = Filters.format(filter);
        assertEquals(formatted, Filters.format(FilterParser.parse(formatted)));
        compile(filter);
        com.unboundid.ldap.sdk.Filter other;
        try {
            other = com.unboundid.ldap.sdk.Filter.create(formatted);
        } catch (LDAPException e) {
            throw new AssertionError("another library refuses " + formatted + " of " + text, e);
        }
        assertArrayEquals(text, other.encode().encode(), sent(other).encode().encode());
    }

    /** A filter as the other library writes the text of it. */
    public static byte[] encoded(Filter filter) {
        try {
            return com.unboundid.ldap.sdk.Filter.create(Filters.format(filter)).encode().encode();
        } catch (LDAPException e) {
            throw new AssertionError(Filters.format(filter), e);
        }
    }

    /** A filter that the other library has written as BER, read here, and read there again. */
    private static com.unboundid.ldap.sdk.Filter sent(com.unboundid.ldap.sdk.Filter other) {
        try {
            return com.unboundid.ldap.sdk.Filter.create(Filters.format(decoded(other)));
        } catch (LDAPException e) {
            throw new AssertionError(other.toString(), e);
        }
    }

    private static Filter decoded(com.unboundid.ldap.sdk.Filter other) {
        try {
            return FilterDecoder.decode(new BerReader(other.encode().encode()), FilterLimits.STANDARD);
        } catch (BerException | DirectoryException e) {
            throw new AssertionError(other.toString(), e);
        }
    }

    /** Whatever it asks for can be bound to the schema. */
    private static void compile(Filter filter) {
        try {
            CompiledFilter.compile(TestDirectory.SCHEMA, filter);
        } catch (DirectoryException e) {
            assertEquals(e.getMessage(), ResultCode.ADMIN_LIMIT_EXCEEDED, e.resultCode());
        }
    }
}
