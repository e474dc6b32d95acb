package org.alder.server.cli;

import org.alder.partition.dn.Dn;

/** The line to paste after a start, which finds something whatever there is. Stateless. */
final class FirstSteps {
    private FirstSteps() {
    }

    /**
     * @param connection the options of OpenLDAP's tools that connect and bind
     * @param sample     whether there are the sample's users
     */
    static String search(String connection, Dn suffix, boolean empty, boolean sample) {
        return "ldapsearch " + connection + (empty ? " -s base -b '' '+'"
                : " -b " + quoted(suffix.text()) + (sample ? " '(uid=user.1)'" : " -s base"));
    }

    /** As a shell reads it. */
    static String quoted(String word) {
        return word.matches("[\\w./-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
