package org.alder.partition.schema.definition;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.alder.partition.text.Oids;

/**
 * Names for the beginnings of OIDs, as OpenLDAP's {@code objectIdentifier} directives define them: {@code acmeType:3} is the OID
 * of {@code acmeType} with the arc 3 below it. One object for all files that are read together. One thread.
 */
public final class OidMacros {
    private static final String SYNTAX = "1.3.6.1.4.1.1466.115.121.1";

    private final Map<String, String> oids = new HashMap<>();

    /** With those that slapd knows from the start (its man page slapd.conf(5) and its oidm.c). */
    public OidMacros() {
        oids.put("omsyn", SYNTAX);
        oids.put("omsboolean", SYNTAX + ".7");
        oids.put("omsdn", SYNTAX + ".12");
        oids.put("omsdirectorystring", SYNTAX + ".15");
        oids.put("omsia5string", SYNTAX + ".26");
        oids.put("omsinteger", SYNTAX + ".27");
        oids.put("omsoid", SYNTAX + ".38");
        oids.put("omsoctetstring", SYNTAX + ".40");
    }

    /** @return false if the name stands for another OID already */
    boolean define(String name, String oid) {
        String before = oids.putIfAbsent(name.toLowerCase(Locale.ROOT), oid);
        return before == null || before.equals(oid);
    }

    /** The dotted OID of an OID, a macro, or a macro with a colon and further arcs. @return null if it is none */
    String resolve(String written) {
        if (Oids.isNumeric(written)) {
            return written;
        }
        int colon = written.indexOf(':');
        String base = oids.get((colon < 0 ? written : written.substring(0, colon)).toLowerCase(Locale.ROOT));
        String oid = base == null || colon < 0 ? base : base + '.' + written.substring(colon + 1);
        return oid != null && Oids.isNumeric(oid) ? oid : null;
    }
}
