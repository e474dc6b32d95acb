package org.alder.server.clients;

import com.unboundid.ldap.sdk.persist.FilterUsage;
import com.unboundid.ldap.sdk.persist.LDAPEntryField;
import com.unboundid.ldap.sdk.persist.LDAPField;
import com.unboundid.ldap.sdk.persist.LDAPObject;
import com.unboundid.ldap.sdk.ReadOnlyEntry;

/** An object that the UnboundID SDK keeps as an entry. */
@LDAPObject(structuralClass = "device")
public final class Printer {
    @LDAPField(attribute = "cn", inRDN = true, filterUsage = FilterUsage.ALWAYS_ALLOWED)
    String name;

    @LDAPField(attribute = "description", filterUsage = FilterUsage.ALWAYS_ALLOWED)
    String description;

    @LDAPEntryField
    ReadOnlyEntry entry;
}
