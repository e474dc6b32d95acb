package org.alder.partition.filter;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.schema.Schema;
import org.alder.partition.testing.Await;
import org.junit.Test;
import org.junit.function.ThrowingRunnable;

/** How large a filter may be, which is looked at before objects are made of it, and which ones are quick. */
public class FilterLimitsTest {
    private static final Schema SCHEMA = Schema.load(schemaFiles());
    private static final FilterLimits LIMITS = FilterLimits.STANDARD;
    private static final int AND = 0xA0;
    private static final int SUBSTRINGS = 0xA4;
    private static final int ANY = 0x81;
    private static final int EQUALITY = 0xA3;

    private static List<Path> schemaFiles() {
        try (Stream<Path> files = Files.list(Path.of("../conf/schema"))) {
            return files.filter(file -> file.toString().endsWith(".ldif")).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] emptyAnds(int count) {
        BerWriter out = new BerWriter(2 * count + 16);
        int all = out.begin(AND);
        for (int i = 0; i < count; i++) {
            out.end(out.begin(AND));
        }
        out.end(all);
        return out.toByteArray();
    }

    private static byte[] pieces(int count) {
        BerWriter out = new BerWriter(4 * count + 16);
        int all = out.begin(SUBSTRINGS);
        out.string(BerWriter.OCTET_STRING, "cn");
        int list = out.begin(BerWriter.SEQUENCE);
        for (int i = 0; i < count; i++) {
            out.string(ANY, "a");
        }
        out.end(list);
        out.end(all);
        return out.toByteArray();
    }

    private static byte[] equality(int valueBytes) {
        BerWriter out = new BerWriter(valueBytes + 32);
        int all = out.begin(EQUALITY);
        out.string(BerWriter.OCTET_STRING, "cn");
        out.octets(BerWriter.OCTET_STRING, new byte[valueBytes]);
        out.end(all);
        return out.toByteArray();
    }

    private static void refuses(int limit, ThrowingRunnable made) {
        DirectoryException e = assertThrows(DirectoryException.class, made);
        assertEquals(ResultCode.ADMIN_LIMIT_EXCEEDED, e.resultCode());
        assertTrue(e.getMessage(), e.getMessage().contains("limit is " + limit));
    }

    private static Filter decoded(byte[] filter) throws BerException, DirectoryException {
        return FilterDecoder.decode(new BerReader(filter), LIMITS);
    }

    @Test
    public void aFilterOfTooManyPartsIsRefusedBeforeTheyAreMade() throws Exception {
        decoded(emptyAnds(LIMITS.items() - 1));
        refuses(LIMITS.items(), () -> decoded(emptyAnds(LIMITS.items())));
        decoded(pieces(LIMITS.items() - 1));
        refuses(LIMITS.items(), () -> decoded(pieces(LIMITS.items())));
    }

    @Test
    public void aFilterOfTooManyBytesIsRefusedBeforeItIsRead() {
        refuses(LIMITS.bytes(), () -> decoded(emptyAnds(8 << 20)));
        refuses(LIMITS.bytes(), () -> decoded(equality(16 << 20)));
    }

    /** What does not parse any more behind the limit shows that nothing there was looked at. */
    @Test
    public void nothingBehindTheLimitIsLookedAt() {
        byte[] filter = emptyAnds(LIMITS.items());
        filter[filter.length - 2] = 0x55;
        refuses(LIMITS.items(), () -> decoded(filter));
    }

    @Test
    public void theItemsOfAListCountTogether() throws Exception {
        byte[] half = equality(LIMITS.bytes() / 2 + 1);
        BerWriter two = new BerWriter(2 * half.length);
        two.raw(half, 0, half.length);
        assertEquals(1, FilterDecoder.decodeAll(new BerReader(two.toByteArray()), LIMITS).size());
        two.raw(half, 0, half.length);
        refuses(LIMITS.bytes(), () -> FilterDecoder.decodeAll(new BerReader(two.toByteArray()), LIMITS));
    }

    @Test
    public void writtenFiltersHaveTheSameLimits() throws DirectoryException {
        refuses(LIMITS.items(), () -> FilterParser.parse("(|" + "(cn=a)".repeat(LIMITS.items()) + ")"));
        refuses(LIMITS.items(), () -> FilterParser.parse("(cn=" + "*a".repeat(LIMITS.items() + 1) + ")"));
        refuses(LIMITS.bytes(), () -> FilterParser.parse("(cn=" + "a".repeat(LIMITS.bytes()) + ")"));
    }

    @Test
    public void aSubstringAssertionOfTooManyPiecesIsRefused() {
        refuses(LIMITS.items(), () -> CompiledFilter.compile(SCHEMA, new Filter.Extensible("caseIgnoreSubstringsMatch", "cn",
                "*a".repeat(LIMITS.items() + 1).getBytes(StandardCharsets.US_ASCII), false)));
    }

    /** Values and pieces of many equal bytes: the product of their lengths would be hours of work. */
    @Test(timeout = Await.MILLIS)
    public void aLongPieceIsFoundInALongValueInTimeThatGrowsWithTheirSum() throws DirectoryException {
        byte[] value = "a".repeat(8 << 20).getBytes(StandardCharsets.US_ASCII);
        String piece = "a".repeat(LIMITS.bytes() / 2);
        for (String last : new String[] {"", "b"}) {
            SubstringPieces pieces = SubstringPieces.of(SCHEMA.attributeType("cn").substring(), new Filter.Substring("cn", null,
                    List.of((piece + last).getBytes(StandardCharsets.US_ASCII)), null));
            assertEquals(last.isEmpty(), pieces.match(value));
        }
        value[value.length - 1] = 'b';
        assertTrue(SubstringPieces.of(SCHEMA.attributeType("cn").substring(), new Filter.Substring("cn", null,
                List.of((piece + "b").getBytes(StandardCharsets.US_ASCII)), null)).match(value));
    }

    private static boolean isQuick(String filter, boolean oneEntry) throws DirectoryException {
        return new QuickFilter(SCHEMA, oneEntry).isQuick(FilterParser.parse(filter));
    }

    @Test
    public void theTypeDecidesWhatIsQuickUnderAnyName() throws DirectoryException {
        for (String filter : new String[] {"(memberOf=cn=a)", "(MEMBEROF=cn=a)", "(1.2.840.113556.1.2.102=cn=a)",
            "(memberOf;x-a=cn=a)", "(1.2.840.113556.1.2.102=*)", "(member=cn=a)", "(2.5.4.31=cn=a)", "(memberOf~=cn=a)",
            "(member:1.2.840.113556.1.4.1941:=cn=a)", "(:caseIgnoreMatch:=a)", "(cn=*a*)", "(uidNumber>=1)"}) {
            for (boolean oneEntry : new boolean[] {false, true}) {
                assertFalse(filter, isQuick(filter, oneEntry));
                assertFalse(filter, isQuick("(&(uid=a)(|" + filter + "(cn=b)))", oneEntry));
            }
        }
        for (String filter : new String[] {"(uid=a)", "(objectClass=*)", "(&(uid=a)(|(cn=b)(cn=c)))", "(nothing=a)"}) {
            assertTrue(filter, isQuick(filter, false) && isQuick(filter, true));
        }
        assertFalse("the complement of a set is not small", isQuick("(!(uid=a))", false));
        assertTrue(isQuick("(!(uid=a))", true));
        assertFalse(new QuickFilter(SCHEMA, true).isQuick(new Filter.Or(Collections.nCopies(100, new Filter.Present("cn")))));
    }
}
