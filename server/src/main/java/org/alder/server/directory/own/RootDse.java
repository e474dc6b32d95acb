package org.alder.server.directory.own;

import java.util.ArrayList;
import java.util.List;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.schema.Schema;
import org.alder.partition.tree.EntryView;

/**
 * The root DSE (RFC 4512 5.1): what the server holds and can do. All but objectClass is operational and returned on request only.
 * Attributes without values, such as altServer, are left out.
 *
 * @param controls OIDs of the controls that have a handler
 * @param extensions OIDs of the extended operations that have one
 * @param features OIDs of what is supported beyond RFC 4511
 */
public record RootDse(List<String> controls, List<String> extensions, List<String> features, String vendorName,
                      String vendorVersion) {
    /**
     * All operational attributes, object classes in attribute lists, true and false filters, language tags, language ranges,
     * increment.
     */
    public static final List<String> FEATURES =
            List.of("1.3.6.1.4.1.4203.1.5.1", "1.3.6.1.4.1.4203.1.5.2", "1.3.6.1.4.1.4203.1.5.3",
                    "1.3.6.1.4.1.4203.1.5.4", "1.3.6.1.4.1.4203.1.5.5", "1.3.6.1.1.14");

    /**
     * @param configContext where the server's configuration is; null if it cannot be read there
     * @param lastUsn the greatest entryUSN there is, by which clients such as SSSD see whether anything changed
     * @param saslMechanisms of the connection that asks
     */
    public EntryView entry(List<Dn> suffixes, String configContext, long lastUsn, List<String> saslMechanisms) {
        List<String> contexts = suffixes.stream().map(Dn::text).toList();
        List<Attribute> operational = new ArrayList<>();
        add(operational, "namingContexts", contexts);
        add(operational, "defaultNamingContext", contexts.isEmpty() ? List.of() : contexts.subList(0, 1));
        add(operational, "configContext", configContext == null ? List.of() : List.of(configContext));
        add(operational, "subschemaSubentry", List.of(Schema.SUBSCHEMA_DN));
        add(operational, "supportedLDAPVersion", List.of("3"));
        add(operational, "supportedControl", controls);
        add(operational, "supportedExtension", extensions);
        add(operational, "supportedFeatures", features);
        add(operational, "supportedSASLMechanisms", saslMechanisms);
        add(operational, "vendorName", List.of(vendorName));
        add(operational, "vendorVersion", List.of(vendorVersion));
        add(operational, "lastUSN", List.of(Long.toString(lastUsn)));
        List<Attribute> user = List.of(Subschema.text("objectClass", List.of("top", "extensibleObject")));
        return new EntryView(1, EntryRecord.of(0, new byte[0], user, operational), "");
    }

    private static void add(List<Attribute> attributes, String description, List<String> values) {
        if (!values.isEmpty()) {
            attributes.add(Subschema.text(description, values));
        }
    }
}
