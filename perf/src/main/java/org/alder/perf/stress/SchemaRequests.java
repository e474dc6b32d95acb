package org.alder.perf.stress;

import java.util.List;
import org.alder.perf.client.Request;
import org.alder.perf.client.SearchFilter;

/** The attribute type that comes and goes while the server runs. Stateless. */
final class SchemaRequests {
    static final String DN = "cn=schema";
    static final String ATTRIBUTE = "stressbadge";
    private static final String OID = "1.3.6.1.4.1.99999.12.1";
    static final String TYPES = "attributetypes";
    private static final String DEFINITION = "( " + OID + " NAME '" + ATTRIBUTE
            + "' EQUALITY caseIgnoreMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 )";

    private SchemaRequests() {
    }

    static Request define(boolean adds) {
        return new Request.Modify(DN, List.of(new Request.Change(adds ? Request.Kind.ADD : Request.Kind.DELETE, TYPES,
                List.of(DEFINITION))));
    }

    static Request.Search read() {
        return new Request.Search(DN, Request.Scope.BASE, new SearchFilter.Present("objectclass"),
                List.of(TYPES));
    }

    static boolean isDefined(Iterable<String> types) {
        for (String type : types) {
            if (type.startsWith("( " + OID + " ")) {
                return true;
            }
        }
        return false;
    }
}
