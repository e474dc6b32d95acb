package org.alder.server.cli;

import java.util.Locale;
import java.util.Map;
import org.alder.partition.dn.Ava;
import org.alder.partition.dn.Dn;
import org.alder.partition.text.Utf8;
import org.alder.server.cli.output.TerminalText;

/** The lines to paste after a start: one finds something whatever there is, one makes a first entry where there is none. Stateless. */
final class FirstSteps {
    /** Of entries that are named by these attributes. */
    private static final Map<String, String> CLASSES = Map.of("dc", "domain", "o", "organization", "ou", "organizationalUnit", "c", "country");

    private FirstSteps() {
    }

    /**
     * @param connection the options of OpenLDAP's tools that connect and bind
     * @param sample     whether there are the sample's users
     */
    static String search(String connection, Dn suffix, boolean empty, boolean sample) {
        return "ldapsearch " + connection + (empty ? " -s base -b '' '+'"
                : " -b " + TerminalText.quoted(suffix.text()) + (sample ? " '(uid=user.1)'" : " -s base"));
    }

    /** What makes the suffix of an empty partition, if it has one of the classes that they usually have; else null. */
    static String firstEntry(String connection, Dn suffix) {
        Ava ava = suffix.isRoot() || suffix.rdn(0).avas().size() > 1 ? null : suffix.rdn(0).avas().get(0);
        String objectClass = ava == null ? null : CLASSES.get(ava.type().name().toLowerCase(Locale.ROOT));
        String value = ava == null ? null : Utf8.decodeOrNull(ava.value());
        if (objectClass == null || value == null || !value.matches("[\\w.-]([\\w .-]*[\\w.-])?") || !suffix.text().matches("[\\w .,=-]+")) {
            return null;
        }
        return "printf 'dn: " + suffix.text() + "\\nobjectClass: " + objectClass + "\\n" + ava.type().name() + ": " + value + "\\n' | ldapadd "
                + connection;
    }
}
