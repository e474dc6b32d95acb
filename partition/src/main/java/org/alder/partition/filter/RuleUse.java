package org.alder.partition.filter;

import java.util.Set;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.value.MatchingRule;

/** Which matching rules may be used on which attribute types (RFC 4512 4.1.4), beyond the rules the types name themselves. */
final class RuleUse {
    private static final String SYNTAX = "1.3.6.1.4.1.1466.115.121.1.";
    private static final String DIRECTORY_STRING = SYNTAX + "15";
    /** Directory String, Printable String, IA5 String, Country String, Numeric String, Telephone Number. */
    private static final Set<String> TEXT_SYNTAXES =
            Set.of(DIRECTORY_STRING, SYNTAX + "44", SYNTAX + "26", SYNTAX + "11", SYNTAX + "36", SYNTAX + "50");
    /** caseIgnoreSubstringsMatch, caseExactSubstringsMatch. */
    private static final Set<String> TEXT_SUBSTRING_RULES = Set.of("2.5.13.4", "2.5.13.7");

    private RuleUse() {
    }

    /** The rule is one of the type's own, or for its syntax; the rules for Directory String are for all syntaxes of text. */
    static boolean applies(MatchingRule rule, AttributeType type) {
        if (isSame(rule, type.equality()) || isSame(rule, type.ordering()) || isSame(rule, type.substring())
                || rule.syntaxOid().equals(type.syntaxOid())) {
            return true;
        }
        boolean forText = rule.syntaxOid().equals(DIRECTORY_STRING) || TEXT_SUBSTRING_RULES.contains(rule.oid());
        return forText && TEXT_SYNTAXES.contains(type.syntaxOid());
    }

    private static boolean isSame(MatchingRule rule, MatchingRule other) {
        return other != null && other.oid().equals(rule.oid());
    }
}
