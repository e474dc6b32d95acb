package org.alder.server.config;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.alder.server.wire.AddressRange;
import org.alder.server.wire.Listener;
import org.alder.server.wire.Listener.Scheme;
import org.alder.server.wire.PlaintextBind;
import org.alder.server.wire.UnixSocket;
import org.alder.server.wire.layer.ClientCertificates;

/**
 * One {@code listener:} line.
 *
 * @param listener but for the two policies that follow
 * @param plaintextBind null = that of the server
 * @param clientCertificate null = that of the server
 */
public record ListenerLine(Listener listener, PlaintextBind plaintextBind, ClientCertificates clientCertificate) {
    static final String FORM = "ldap://HOST[:PORT] or ldaps://HOST[:PORT], perhaps with plaintextBind=none|local|all,"
            + " tlsClientCertificate=off|optional|required and proxyFrom=ADDRESS[/BITS][,...] behind it; or ldapi://PATH, an"
            + " absolute path with each / as %2F, perhaps with mode=0660 or the like behind it";
    public static final int LDAP_PORT = 10_389;
    public static final int LDAPS_PORT = 10_636;
    private static final Pattern URL = Pattern.compile("(ldaps?)://(\\[[0-9A-Fa-f:.]+(?:%\\w+)?]|[^\\s:/\\[\\]?#]+)(?::(\\d{1,5}))?/?",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern SOCKET_URL = Pattern.compile("ldapi://(%2F[^\\s:/\\[\\]?#+]+)/?", Pattern.CASE_INSENSITIVE);
    private static final Pattern OPTION = Pattern.compile("(\\w+)=(\\S+)");
    private static final Pattern MODE = Pattern.compile("0?([0-7]{3})");
    private static final int MOST_PORT = 65_535;

    /** @throws IllegalArgumentException if it is not of the form */
    static ListenerLine parse(String line) {
        String[] words = line.split("\\s+");
        Matcher socket = SOCKET_URL.matcher(words[0]);
        ListenerLine parsed = new ListenerLine(socket.matches() ? socket(socket.group(1)) : tcp(words[0]), null, null);
        for (String word : Arrays.asList(words).subList(1, words.length)) {
            Matcher option = OPTION.matcher(word);
            ValueType.require(option.matches());
            parsed = parsed.with(option.group(1), option.group(2));
        }
        return parsed;
    }

    /** Where programs on this machine find it without TLS; null if they cannot: behind proxies, or where everything begins with TLS. */
    public String localUrl() {
        if (listener.scheme() == Scheme.LDAPI) {
            return "ldapi://" + URLEncoder.encode(listener.socket().path().toString(), StandardCharsets.UTF_8).replace("+", "%20");
        }
        return listener.scheme() == Scheme.LDAPS || !listener.proxies().isEmpty() ? null : localUrl(listener.host(), listener.port());
    }

    /** What listens on all addresses listens on that of this machine too. */
    public static String localUrl(String host, int port) {
        String local = host.equals("0.0.0.0") ? "127.0.0.1" : host.equals("::") ? "::1" : host;
        return "ldap://" + (local.indexOf(':') < 0 ? local : '[' + local + ']') + ':' + port;
    }

    private static Listener tcp(String text) {
        Matcher url = URL.matcher(text);
        ValueType.require(url.matches());
        Scheme scheme = Scheme.valueOf(url.group(1).toUpperCase(Locale.ROOT));
        int port = url.group(3) != null ? Integer.parseInt(url.group(3)) : scheme == Scheme.LDAPS ? LDAPS_PORT : LDAP_PORT;
        ValueType.require(port <= MOST_PORT);
        return Listener.of(scheme, url.group(2).replaceAll("[\\[\\]]", ""), port);
    }

    private static Listener socket(String encoded) {
        return Listener.of(new UnixSocket(Path.of(URLDecoder.decode(encoded, StandardCharsets.UTF_8)).normalize(),
                UnixSocket.OWNER_ALONE, true));
    }

    private ListenerLine with(String option, String value) {
        boolean tcp = listener.socket() == null;
        switch (option) {
            case "plaintextBind" -> {
                ValueType.require(tcp);
                return new ListenerLine(listener, PlaintextBind.valueOf(value.toUpperCase(Locale.ROOT)), clientCertificate);
            }
            case "tlsClientCertificate" -> {
                ValueType.require(tcp);
                return new ListenerLine(listener, plaintextBind, ClientCertificates.valueOf(value.toUpperCase(Locale.ROOT)));
            }
            case "proxyFrom" -> {
                ValueType.require(tcp);
                List<AddressRange> proxies = Arrays.stream(value.split(",")).map(AddressRange::parse).toList();
                return new ListenerLine(listener.withProxies(proxies), plaintextBind, clientCertificate);
            }
            case "mode" -> {
                ValueType.require(!tcp);
                UnixSocket socket = new UnixSocket(listener.socket().path(), permissions(value), true);
                return new ListenerLine(Listener.of(socket), plaintextBind, clientCertificate);
            }
            default -> throw new IllegalArgumentException(option);
        }
    }

    /** @param mode three digits, as chmod has them */
    private static Set<PosixFilePermission> permissions(String mode) {
        Matcher digits = MODE.matcher(mode);
        ValueType.require(digits.matches());
        StringBuilder text = new StringBuilder();
        for (char digit : digits.group(1).toCharArray()) {
            int bits = digit - '0';
            text.append((bits & 4) == 0 ? '-' : 'r').append((bits & 2) == 0 ? '-' : 'w').append((bits & 1) == 0 ? '-' : 'x');
        }
        return PosixFilePermissions.fromString(text.toString());
    }
}
