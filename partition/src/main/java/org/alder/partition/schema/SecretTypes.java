package org.alder.partition.schema;

import java.util.Locale;
import java.util.Set;
import org.alder.partition.schema.definition.Definition;

/**
 * The attribute types that hold secrets: passwords, hashes that are as good as the password, keys and shared secrets. The one list
 * of them, by the names and OIDs of the schemas they come with, whether this server has these schemas or a site adds them.
 */
final class SecretTypes {
    private static final Set<String> NAMES = Set.of(
            // RFC 4519, RFC 3112, RFC 2307's relatives
            "userpassword", "2.5.4.35", "authpassword", "1.3.6.1.4.1.4203.1.3.4",
            // password policies: OpenLDAP, 389 Directory Server, Sun
            "pwdhistory", "1.3.6.1.4.1.42.2.27.8.1.20", "passwordhistory", "2.16.840.1.113730.3.1.96",
            // servers' own: OpenLDAP, 389 Directory Server
            "olcrootpw", "1.3.6.1.4.1.4203.1.12.2.3.2.0.9", "oathsecret", "oathencrypted", "nsslapd-rootpw",
            "nsds5replicacredentials", "nsds5replicabootstrapcredentials", "nsmultiplexorcredentials",
            "nsds7windowsreplicapassword", "unhashed#user#password", "nssymmetrickey",
            // Samba 2, 3 and 4, Active Directory
            "ntpassword", "1.3.6.1.4.1.7165.2.1.2", "lmpassword", "1.3.6.1.4.1.7165.2.1.1",
            "sambantpassword", "1.3.6.1.4.1.7165.2.1.25", "sambalmpassword", "1.3.6.1.4.1.7165.2.1.24",
            "sambapasswordhistory", "1.3.6.1.4.1.7165.2.1.54", "sambacleartextpassword", "1.3.6.1.4.1.7165.2.1.68",
            "sambapreviouscleartextpassword", "1.3.6.1.4.1.7165.2.1.69", "sambacurrentpassword", "sambapreviouspassword",
            "unicodepwd", "dbcspwd", "ntpwdhistory", "lmpwdhistory", "supplementalcredentials", "clearpassword",
            "trustauthincoming", "trustauthoutgoing", "initialauthincoming", "initialauthoutgoing", "currentvalue", "priorvalue",
            "msds-executescriptpassword", "msds-managedpassword", "ms-mcs-admpwd", "mslaps-password",
            "mslaps-encryptedpassword", "mslaps-encryptedpasswordhistory",
            // Kerberos: MIT, Heimdal, Apache Directory
            "krbprincipalkey", "2.16.840.1.113719.1.301.4.39.1", "krbmkey", "2.16.840.1.113719.1.301.4.50.1",
            "krbpwdhistory", "krb5key", "1.3.6.1.4.1.5322.10.1.10",
            // FreeIPA
            "ipanthash", "ipanttrustauthincoming", "ipanttrustauthoutgoing", "ipatokenotpkey", "ipatokenradiussecret",
            "ipaidpclientsecret", "ipaprivatekey", "ipasecretkey",
            // Oracle
            "orclpassword", "orclpasswordattribute", "orclpasswordverifier", "orclrevpwd", "orclunicodepwd");

    /** The extension by which a schema says that a type is secret. */
    private static final String MARK = "X-SECRET";

    private SecretTypes() {
    }

    static boolean has(Definition definition) {
        return definition.has(MARK) || NAMES.contains(definition.oid())
                || definition.names().stream().anyMatch(name -> NAMES.contains(name.toLowerCase(Locale.ROOT)));
    }
}
