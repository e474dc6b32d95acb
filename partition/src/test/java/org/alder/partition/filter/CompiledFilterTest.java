package org.alder.partition.filter;

import static org.alder.partition.testing.TestDirectory.SCHEMA;
import static org.alder.partition.testing.TestDirectory.utf8;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.Collections;
import java.util.List;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.value.MatchingRule;
import org.alder.partition.store.LargeValues;
import org.alder.partition.testing.Requirement;
import org.junit.Test;

public class CompiledFilterTest {
    private static final EntryRecord RECORD = EntryRecord.of(0, utf8("cn=x"), List.of(
            new Attribute("objectClass", List.of(utf8("inetOrgPerson"))),
            new Attribute("CN", List.of(utf8("Foo  Bar"), utf8("Ärger"))),
            new Attribute("sn;lang-en;x-a", List.of(utf8("snail"))),
            new Attribute("uidNumber", List.of(utf8("10"))),
            new Attribute("gidNumber", List.of(utf8("no number"))),
            new Attribute("jpegPhoto", List.of(utf8("x")))),
            List.of(new Attribute("createTimestamp", List.of(utf8("20260101120000Z"))),
                    new Attribute("entryCSN", List.of(utf8("20260101120000.000000Z#00000a#000#000001")))));

    private static final CandidateEntry ENTRY = new CandidateEntry() {
        @Override
        public EntryRecord record() {
            return RECORD;
        }

        @Override
        public String dn() {
            return "cn=x,ou=Some+l=Thing,dc=com";
        }

        @Override
        public List<byte[]> virtualValues(AttributeType type) {
            return type.name().equals("hasSubordinates") ? List.of(utf8("FALSE")) : List.of();
        }

        @Override
        public CandidateEntry entryAt(Dn dn) {
            return null;
        }

        @Override
        public LargeValues largeValues() {
            throw new IllegalStateException("the entry has no large attributes");
        }
    };

    private static void assertTruth(Truth expected, String... filters) throws DirectoryException {
        for (String filter : filters) {
            CompiledFilter compiled = CompiledFilter.compile(SCHEMA, FilterParser.parse(filter));
            assertEquals(filter, expected, compiled.evaluate(ENTRY));
            assertEquals(filter + " where true", expected == Truth.TRUE, compiled.whereTrue().evaluate(ENTRY) == Truth.TRUE);
        }
    }

    @Test
    @Requirement(rfc = 4511, section = "4.5.1.7", text = "Three-valued logic of and, or, not")
    public void threeValuedLogic() throws DirectoryException {
        String t = "(sn=snail)";
        String f = "(sn=slug)";
        String u = "(nothing=1)";
        assertTruth(Truth.TRUE, t, "(!" + f + ")", "(&)", "(&" + t + t + ")", "(|" + t + u + ")", "(|" + u + t + f + ")", "(|"
                + f + t + ")",
                "(!(&" + f + u + "))", "(!(|" + f + f + "))", "(!(!" + t + "))", "(!(|))");
        assertTruth(Truth.FALSE, f, "(!" + t + ")", "(|)", "(|" + f + f + ")", "(&" + f + u + ")", "(&" + u + f + t + ")",
                "(!(|" + t + u + "))",
                "(!(&" + t + t + "))", "(!(&))");
        assertTruth(Truth.UNDEFINED, u, "(!" + u + ")", "(!(!" + u + "))", "(&" + t + u + ")", "(|" + f + u + ")", "(!(&" + t
                + u + "))",
                "(!(|" + f + u + "))", "(&(|" + u + f + ")" + t + ")");
    }

    @Test
    @Requirement(rfc = 4511, section = "4.5.1.7", text = "What evaluates to Undefined")
    public void whatIsUndefined() throws DirectoryException {
        assertTruth(Truth.UNDEFINED, "(shoeSize=12)", "(shoeSize>=12)", "(shoeSize<=12)", "(shoeSize~=12)", "(shoeSize=1*)",
                "(shoeSize:=12)",
                "(jpegPhoto=x)", "(jpegPhoto=x*)", "(cn>=a)", "(uidNumber=ten)", "(uidNumber>=ten)", "(uidNumber=1*)",
                "(cn:noSuchMatch:=a)",
                "(uidNumber:caseIgnoreMatch:=10)", "(createTimestamp>=yesterday)", "(member:1.2.840.113556.1.4.1941:=no dn)",
                "(cn:1.2.840.113556.1.4.1941:=cn=x)", "(:noSuchMatch:=a)", "(cn;=x)");
        assertTruth(Truth.FALSE, "(shoeSize=*)", "(!(jpegPhoto=*))", "(description=x)", "(description=*)", "(member=cn=x)");
        assertTruth(Truth.TRUE, "(!(description=x))", "(!(shoeSize=*))", "(jpegPhoto=*)", "(objectClass=*)");
    }

    private static void assertSeen(Truth expected, AttributeAccess access, String... filters) throws DirectoryException {
        for (String text : filters) {
            Filter filter = FilterParser.parse(text);
            CompiledFilter compiled = CompiledFilter.compile(SCHEMA, filter, access);
            assertEquals(text, expected, compiled.evaluate(ENTRY));
            assertEquals(text + " where true", expected == Truth.TRUE, compiled.whereTrue().evaluate(ENTRY) == Truth.TRUE);
            assertEquals("true of no more than " + text, compiled.evaluate(ENTRY) == Truth.TRUE,
                    compiled.evaluate(ENTRY) == Truth.TRUE
                            && CompiledFilter.compile(SCHEMA, filter).evaluate(ENTRY) == Truth.TRUE);
        }
    }

    @Test
    @Requirement(rfc = 4511, section = "4.5.1.7", text = "What the client may not read evaluates to Undefined")
    public void whatMayNotBeReadIsUndefined() throws DirectoryException {
        AttributeAccess access = type -> !type.name().equals("sn");
        assertSeen(Truth.UNDEFINED, access, "(sn=snail)", "(sn=slug)", "(!(sn=slug))", "(surname=snail)", "(2.5.4.4=snail)", "(sn=*)",
                "(!(sn=*))", "(sn=s*)", "(sn;lang-en=snail)", "(sn~=snail)", "(sn:caseIgnoreMatch:=snail)", "(sn:=snail)",
                "(sn:dn:caseIgnoreMatch:=snail)", "(&(sn=snail)(cn=foo bar))", "(|(sn=snail)(cn=nobody))", "(!(&(sn=x)(cn=foo bar)))");
        assertSeen(Truth.TRUE, access, "(name=foo bar)", "(name=*)", "(|(sn=snail)(cn=foo bar))", "(:caseIgnoreMatch:=foo bar)",
                "(name:caseIgnoreMatch:=foo bar)", "(!(&(sn=x)(cn=nobody)))");
        assertSeen(Truth.UNDEFINED, access, "(name=snail)", "(name=sn*)", "(name;lang-en=snail)", "(:caseIgnoreMatch:=snail)",
                "(name:caseIgnoreMatch:=snail)", "(!(:caseIgnoreMatch:=snail))", "(!(name=snail))", "(!(:caseIgnoreMatch:=slug))");
        assertSeen(Truth.FALSE, access, "(!(name=foo bar))", "(&(sn=snail)(cn=nobody))");
        assertFalse(CompiledFilter.compile(SCHEMA, FilterParser.parse("(cn=x)"), access).isRestricted());
        assertTrue(CompiledFilter.compile(SCHEMA, FilterParser.parse("(!(|(cn=x)(name=y)))"), access).isRestricted());
    }

    @Test
    @Requirement(rfc = 4512, section = "2.5.1, 2.5.3", text = "Subtypes and options of an attribute match assertions on it")
    public void attributeDescriptions() throws DirectoryException {
        assertTruth(Truth.TRUE, "(commonname=foo bar)", "(2.5.4.3=foo bar)", "(name=snail)", "(sn;X-A=snail)",
                "(name;lang-en=snail)",
                "(sn;x-a;lang-en=snail)", "(sn;lang-en=*)");
        assertTruth(Truth.FALSE, "(sn;lang-de=snail)", "(cn;lang-en=*)", "(cn=snail)", "(sn;lang=snail)");
    }

    @Test
    public void values() throws DirectoryException {
        assertTruth(Truth.TRUE, "(cn= FOO bar )", "(cn=äRGER)", "(cn=foo*)", "(cn=*foo*bar*)", "(cn=f*o*b*r)", "(cn=*rg*)",
                "(uidNumber>=9)",
                "(uidNumber<=10)", "(uidNumber=10)", "(createTimestamp<=20260101130000+0100)", "(cn~=foo bar)",
                "(objectClass=person)", "(objectClass= Person )", "(objectClass=\\09person)",
                "(objectClass=2.5.6.0)", "(hasSubordinates=FALSE)", "(hasSubordinates=*)", "(gidNumber=*)");
        assertTruth(Truth.FALSE, "(cn=foobar)", "(cn=foo*foo*)", "(cn=*bar*foo*)", "(cn=foo*oo bar)", "(uidNumber>=11)",
                "(uidNumber<=9)",
                "(createTimestamp>=20260101120001Z)", "(objectClass=device)", "(hasSubordinates=TRUE)", "(gidNumber=1)",
                "(gidNumber>=0)");
    }

    @Test
    @Requirement(rfc = 4511, section = "4.5.1.7.7", text = "Extensible match: by rule, by type and rule, :dn")
    public void extensible() throws DirectoryException {
        assertTruth(Truth.TRUE, "(cn:=foo bar)", "(cn:caseExactMatch:=Foo Bar)", "(ou:dn:=some)", "(l:dn:=THING)",
                "(:caseExactMatch:=snail)",
                "(:dn:caseIgnoreMatch:=thing)", "(cn:caseExactSubstringsMatch:=F\\2a)", "(uidNumber:integerOrderingMatch:=11)",
                "(name:dn:=x)");
        assertTruth(Truth.FALSE, "(cn:caseExactMatch:=foo bar)", "(ou:=some)", "(ou:dn:caseExactMatch:=some)",
                "(:caseExactMatch:=Snail)",
                "(:caseIgnoreMatch:=thing)", "(cn:caseExactSubstringsMatch:=f\\2a)", "(uidNumber:integerOrderingMatch:=10)",
                "(ou;lang-en:dn:=some)");
    }

    @Test
    @Requirement(rfc = 4517, section = "4.2", text = "Extensible match with an ordering rule: values before the asserted one")
    public void everyOrderingRuleAsksForWhatIsBefore() throws DirectoryException {
        assertTruth(Truth.TRUE, "(entryCSN:CSNOrderingMatch:=20260102000000.000000Z#000000#000#000000)",
                "(entryCSN:CSNMatch:=20260101120000.000000Z#00000A#000#000001)",
                "(entryCSN>=20260101120000.000000Z#00000a#000#000001)");
        assertTruth(Truth.FALSE, "(entryCSN:CSNOrderingMatch:=20260101120000.000000Z#00000a#000#000001)",
                "(entryCSN:CSNOrderingMatch:=20260101000000.000000Z#000000#000#000000)");
        for (MatchingRule rule : SCHEMA.matchingRules()) {
            assertEquals(rule.name(), rule.name().endsWith("OrderingMatch"), rule.isOrdering());
            assertTrue(rule.name(), !rule.isOrdering()
                    || rule.orderOf().name().equals(rule.name().replace("OrderingMatch", "Match")));
        }
    }

    @Test
    public void limits() throws DirectoryException {
        Filter deep = new Filter.Present("cn");
        for (int i = 0; i < 100_000; i++) {
            deep = new Filter.Not(deep);
        }
        Filter tooDeep = deep;
        Filter tooLarge = new Filter.Or(Collections.nCopies(FilterLimits.MOST_ITEMS, new Filter.Present("cn")));
        for (Filter filter : List.of(tooDeep, tooLarge)) {
            DirectoryException e = assertThrows(DirectoryException.class, () -> CompiledFilter.compile(SCHEMA, filter));
            assertEquals(ResultCode.ADMIN_LIMIT_EXCEEDED, e.resultCode());
        }
        CompiledFilter.compile(SCHEMA, new Filter.Or(Collections.nCopies(FilterLimits.MOST_ITEMS - 1, new Filter.Present("cn"))));
    }

    @Test
    public void simplification() throws DirectoryException {
        for (List<String> pair : List.of(List.of("(!(&(cn=a)(!(sn=b))))", "(|(!(cn=a))(sn=b))"),
                List.of("(&(cn=a)(&(sn=b)(&)))", "(&(cn=a)(sn=b))"),
                List.of("(|(cn=a)(nothing=1))", "(cn=a)"), List.of("(&(cn=a)(!(nothing=1)))", "(false)"),
                List.of("(!(objectClass=*))", "(false)"),
                List.of("(|(cn=a)(objectClass=*))", "(true)"), List.of("(!(|(cn=a)(|(sn=b))))", "(&(!(cn=a))(!(sn=b)))"))) {
            assertEquals(pair.get(1), CompiledFilter.compile(SCHEMA, FilterParser.parse(pair.get(0))).whereTrue().text());
        }
    }
}
