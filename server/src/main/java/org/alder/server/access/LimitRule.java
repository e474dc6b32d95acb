package org.alder.server.access;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.alder.partition.schema.Schema;

/**
 * What some clients may cost, in a line such as {@code size=500/5000 time=60 idle=none to group "cn=..."} (docs/limits.md): soft and
 * hard limit, and to whom it speaks, which is written as in access rules. Immutable.
 */
public final class LimitRule {
    private static final String EXPECTED = "a limit such as size=500, size=500/5000 (for searches that ask for none, and for all),"
            + " time=60, examined=100000, idle=900 or idle=none, or to";

    private final LimitSet limits;
    private final Subject subject;

    private LimitRule(LimitSet limits, Subject subject) {
        this.limits = limits;
        this.subject = subject;
    }

    /**
     * @param origin where the rule stands, for messages to clients
     * @throws AccessRuleException if it is no rule, or names what the schema has not
     */
    public static LimitRule parse(Schema schema, String text, String origin) throws AccessRuleException {
        RuleText words = new RuleText(text);
        Map<LimitKind, Limit> limits = new EnumMap<>(LimitKind.class);
        while (limits.isEmpty() || !words.take("to")) {
            LimitKind kind = kind(words);
            if (limits.containsKey(kind)) {
                throw words.expected("each limit at most once");
            }
            limits.put(kind, limit(words, kind, origin));
            words.next();
        }
        int subjectAt = words.position();
        Subject subject = new SubjectParser(schema, words).subject();
        if (!words.isAtEnd()) {
            throw words.expected("and, or, or the end");
        }
        if (subject.leaves().anyMatch(part -> part instanceof Subject.Self || part instanceof Subject.NamedBy)) {
            throw new AccessRuleException(subjectAt, "expected no self and no namedBy: a limit is about no entry", null);
        }
        return new LimitRule(new LimitSet(limits), subject);
    }

    private static LimitKind kind(RuleText words) throws AccessRuleException {
        String word = words.peek().toLowerCase(Locale.ROOT);
        for (LimitKind kind : LimitKind.values()) {
            if (word.startsWith(kind.word() + "=")) {
                return kind;
            }
        }
        throw words.expected(EXPECTED);
    }

    private static Limit limit(RuleText words, LimitKind kind, String origin) throws AccessRuleException {
        String value = words.peek().substring(kind.word().length() + 1);
        int slash = value.indexOf('/');
        if (slash >= 0 && !kind.isRequested()) {
            throw words.expected(kind.word() + "=N: no request says how much of it it wants, so there is one limit");
        }
        long hard = number(words, value.substring(slash + 1));
        long soft = slash < 0 ? hard : number(words, value.substring(0, slash));
        if (soft > hard) {
            throw words.expected("the limit for searches that ask for none, and then one for all that is at least as large");
        }
        return new Limit(soft, hard, origin);
    }

    private static long number(RuleText words, String text) throws AccessRuleException {
        if (text.equalsIgnoreCase("none")) {
            return Limit.NONE;
        } else if (!text.matches("[1-9][0-9]{0,9}") || Long.parseLong(text) > Integer.MAX_VALUE) {
            throw words.expected("a number from 1 to " + Integer.MAX_VALUE + ", or none");
        }
        return Long.parseLong(text);
    }

    LimitSet limits() {
        return limits;
    }

    Subject subject() {
        return subject;
    }
}
