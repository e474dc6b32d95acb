package org.alder.server.login;

import java.util.List;

/**
 * How clients are authenticated by SASL. Immutable.
 *
 * @param mechanisms their names
 * @param rules whom names mean; the first one that matches decides
 * @param ownersAdministrate whether root and the user that the server runs as are the administrator on a unix-domain socket, if no rule
 *     says who they are
 * @param kerberos what the server is to Kerberos; null if nothing
 */
public record SaslSettings(List<String> mechanisms, List<IdentityRule> rules, boolean ownersAdministrate, KerberosService kerberos) {
    /** All but ANONYMOUS, and a uid for each name. */
    public static final SaslSettings STANDARD =
            new SaslSettings(SaslMechanisms.NAMES.stream().filter(name -> !name.equals("ANONYMOUS")).toList(), List.of(), true, null);

    public SaslSettings {
        mechanisms = List.copyOf(mechanisms);
        rules = List.copyOf(rules);
    }
}
