package org.alder.server.login;

import java.util.List;

/**
 * How clients are authenticated by SASL. Immutable.
 *
 * @param mechanisms their names
 * @param rules whom names mean; the first one that matches decides
 */
public record SaslSettings(List<String> mechanisms, List<IdentityRule> rules) {
    /** All but ANONYMOUS, and a uid for each name. */
    public static final SaslSettings STANDARD =
            new SaslSettings(SaslMechanisms.NAMES.stream().filter(name -> !name.equals("ANONYMOUS")).toList(), List.of());

    public SaslSettings {
        mechanisms = List.copyOf(mechanisms);
        rules = List.copyOf(rules);
    }
}
