package org.alder.server.cli;

import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.alder.ldif.LdifAttribute;
import org.alder.ldif.LdifEntry;
import org.alder.ldif.bulk.EntrySource;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.server.auth.Passwords;

/** Counts the passwords of a load that nobody can log in with, because the server does not know their scheme. One thread. */
final class PasswordCensus {
    private final Schema schema;
    private final AttributeType userPassword;
    private final Map<String, Integer> unknown = new TreeMap<>();

    PasswordCensus(Schema schema) {
        this.schema = schema;
        this.userPassword = schema.attributeType("userPassword");
    }

    /** The same entries, which are counted as they go by. */
    EntrySource counting(EntrySource source) {
        return () -> counted(source);
    }

    private LdifEntry counted(EntrySource source) throws IOException {
        LdifEntry entry = source.next();
        if (entry != null) {
            entry.attributes().forEach(this::count);
        }
        return entry;
    }

    /** Few values but passwords begin with a brace. */
    private void count(LdifAttribute line) {
        if (line.value().length > 0 && line.value()[0] == '{') {
            AttributeDescription description = schema.descriptionOrNull(line.description());
            String scheme = description == null || description.type() != userPassword ? null
                    : Passwords.unknownScheme(line.value());
            if (scheme != null) {
                unknown.merge(scheme.toUpperCase(Locale.ROOT), 1, Integer::sum);
            }
        }
    }

    void report() {
        unknown.forEach((scheme, count) -> System.err.println("alder: warning: " + count + " passwords are in the scheme {" + scheme
                + "}, which Alder does not know: nobody can log in with them until they are set anew (docs/passwords.md)"));
    }
}
