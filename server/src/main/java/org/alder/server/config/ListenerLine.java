package org.alder.server.config;

import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One {@code listener:} line.
 *
 * @param scheme in small letters
 * @param plaintextBind null = that of the server
 * @param clientCertificate null = that of the server
 */
public record ListenerLine(String scheme, String host, int port, PlaintextBind plaintextBind, ClientCertificate clientCertificate) {
    static final String FORM = "ldap://HOST[:PORT] or ldaps://HOST[:PORT], perhaps with plaintextBind=local|all and"
            + " tlsClientCertificate=off|optional|required behind it";
    public static final int LDAP_PORT = 10_389;
    public static final int LDAPS_PORT = 10_636;
    private static final Pattern URL = Pattern.compile("(ldaps?)://(\\[[0-9A-Fa-f:.]+(?:%\\w+)?]|[^\\s:/\\[\\]?#]+)(?::(\\d{1,5}))?/?",
            Pattern.CASE_INSENSITIVE);
    private static final String PLAINTEXT_BIND = "plaintextBind=";
    private static final String CLIENT_CERTIFICATE = "tlsClientCertificate=";
    private static final int MOST_PORT = 65_535;

    /** @throws IllegalArgumentException if it is not of the form */
    static ListenerLine parse(String line) {
        String[] words = line.split("\\s+");
        Matcher url = URL.matcher(words[0]);
        ValueType.require(url.matches());
        String scheme = url.group(1).toLowerCase(Locale.ROOT);
        int port = url.group(3) != null ? Integer.parseInt(url.group(3)) : scheme.equals("ldaps") ? LDAPS_PORT : LDAP_PORT;
        ValueType.require(port <= MOST_PORT);
        PlaintextBind passwords = null;
        ClientCertificate clients = null;
        for (String option : Arrays.asList(words).subList(1, words.length)) {
            if (option.startsWith(PLAINTEXT_BIND)) {
                passwords = PlaintextBind.valueOf(option.substring(PLAINTEXT_BIND.length()).toUpperCase(Locale.ROOT));
            } else {
                ValueType.require(option.startsWith(CLIENT_CERTIFICATE));
                clients = ClientCertificate.valueOf(option.substring(CLIENT_CERTIFICATE.length()).toUpperCase(Locale.ROOT));
            }
        }
        return new ListenerLine(scheme, url.group(2).replaceAll("[\\[\\]]", ""), port, passwords, clients);
    }
}
