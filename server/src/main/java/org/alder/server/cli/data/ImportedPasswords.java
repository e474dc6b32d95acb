package org.alder.server.cli.data;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.alder.ldif.LdifAttribute;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.server.auth.Passwords.Condition;
import org.alder.server.auth.Passwords.Report;
import org.alder.server.auth.Passwords;

/** Hashes the clear-text passwords of a load, and counts all passwords by what they are. One thread. */
final class ImportedPasswords {
    private final AttributeType userPassword;
    private final Passwords passwords;
    private final Map<Condition, Map<String, Integer>> counts = new TreeMap<>();

    /** @param passwords how clear text is stored */
    ImportedPasswords(Schema schema, Passwords passwords) {
        this.userPassword = schema.attributeType("userPassword");
        this.passwords = passwords;
    }

    boolean isPassword(AttributeDescription description) {
        return description.type() == userPassword;
    }

    /** A password as it is stored, and counted. */
    LdifAttribute stored(LdifAttribute line) {
        Report report = Passwords.report(line.value());
        counts.computeIfAbsent(report.condition(), none -> new TreeMap<>()).merge(report.scheme(), 1, Integer::sum);
        byte[] stored = report.condition() == Condition.CLEAR_TEXT ? passwords.toStored(line.value()) : line.value();
        return stored == line.value() ? line : new LdifAttribute(line.description(), stored, line.line());
    }

    /** One line, or nothing if there were none. */
    void print(PrintStream out) {
        List<String> parts = new ArrayList<>();
        counts.forEach((condition, schemes) -> {
            switch (condition) {
                case CLEAR_TEXT -> parts.add(schemes.get("") + " in clear text"
                        + (passwords.keepsClearText() ? ", kept so" : ", stored as " + passwords.settings().scheme().braces()));
                case USABLE -> parts.add(listed(schemes));
                case LOCKED -> parts.add(schemes.get("") + " locked");
                case UNKNOWN_SCHEME, UNUSABLE -> parts.add(listed(schemes) + " that can never verify");
                default -> throw new IllegalStateException("no words for " + condition);
            }
        });
        if (!parts.isEmpty()) {
            out.println("passwords: " + String.join("; ", parts));
        }
    }

    private static String listed(Map<String, Integer> schemes) {
        return schemes.entrySet().stream().map(each -> each.getValue() + " {" + each.getKey() + '}')
                .collect(Collectors.joining(", "));
    }

    void warn() {
        counts.getOrDefault(Condition.UNKNOWN_SCHEME, Map.of()).forEach((scheme, count) -> warn(count
                + " passwords are in the scheme {" + scheme + "}, which Alder does not know"));
        counts.getOrDefault(Condition.UNUSABLE, Map.of()).forEach((scheme, count) -> warn(count + " passwords of the scheme {"
                + scheme + "} are damaged, of a form that Alder does not know, or would take more than 10 s or more memory than a"
                + " server lends"));
    }

    private static void warn(String what) {
        System.err.println("alder: warning: " + what + ": nobody can log in with them until they are set anew (docs/passwords.md)");
    }
}
