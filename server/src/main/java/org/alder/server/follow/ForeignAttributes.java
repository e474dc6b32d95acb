package org.alder.server.follow;

import java.util.Locale;
import java.util.Set;

/** Attributes of other servers that mean nothing here. Stateless. */
public final class ForeignAttributes {
    /** Places in files, states of replication, and what is worked out: of OpenLDAP, 389, OpenDJ and ApacheDS. */
    private static final Set<String> LEFT_OUT = Set.of(
            "contextcsn", "auditcontext", "entryexpiretimestamp", "syncreplcookie", "memberof",
            "entryid", "parentid", "dsentrydn", "entrydn", "numsubordinates", "hassubordinates", "tombstonenumsubordinates", "nsds50ruv",
            "nsds5agmtmaxcsn", "nsruvreplicalastmodified", "nsbackendsuffix", "nsrole", "nscpentrydn", "nscpentrywsi", "nsparentuniqueid",
            "nstombstonecsn", "internalmodifiersname", "internalcreatorsname", "copiedfrom", "copyingfrom", "entryusn",
            "ds-sync-state", "ds-sync-generation-id", "ds-sync-conflict", "ds-sync-fractional-include", "ds-sync-fractional-exclude",
            "ds-private-naming-contexts", "ds-privilege-name", "ds-pta-cached-password", "ds-pta-cached-password-time",
            "ds-pwp-password-expiration-time", "ismemberof", "etag",
            "entryparentid", "nbchildren", "nbsubordinates", "accesscontrolsubentries", "triggerexecutionsubentries");

    private ForeignAttributes() {
    }

    /** Whether a copy does without it. @param description with or without options */
    public static boolean isLeftOut(String description) {
        int options = description.indexOf(';');
        return LEFT_OUT.contains((options < 0 ? description : description.substring(0, options)).toLowerCase(Locale.ROOT));
    }
}
