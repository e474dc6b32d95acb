package org.alder.server.login;

import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.filter.Filter;
import org.alder.partition.filter.FilterParser;
import org.alder.partition.request.SearchScope;
import org.alder.partition.schema.Schema;
import org.alder.server.auth.Administrator;
import org.alder.server.auth.Identity;
import org.alder.server.auth.scheme.Digests;
import org.alder.server.directory.AuthorizationIdentities;
import org.alder.server.directory.Directory;
import org.alder.server.directory.EntryCursor;
import org.alder.server.directory.EntryCursor.Step;
import org.alder.server.directory.OperationContext;
import org.alder.server.directory.SearchPosition;
import org.alder.server.directory.SearchRequest;
import org.alder.server.wire.PeerCredentials;

/**
 * Whom the names mean that SASL brings: {@code u:} and a name that a client gives, {@code subject:} of a certificate,
 * {@code sha256:} and its fingerprint, {@code kerberos:} and a principal, {@code unix:} and a user of the operating system, who has
 * a DN too, as OpenLDAP gives one. The first rule whose pattern matches the whole name decides. Without one, {@code dn:} is a DN,
 * {@code subject:} the name of an entry, and {@code u:}, {@code unix:} and the plain name of a principal in the server's realm a
 * uid. Thread safe.
 */
public final class IdentityMapping {
    private static final String SUBJECT = "subject:";
    private static final String FINGERPRINT = "sha256:";
    private static final String UNIX = "unix:";
    private static final String KERBEROS = "kerberos:";
    /** Where OpenLDAP puts users of the machine. */
    private static final String PEER_CREDENTIALS = ",cn=peercred,cn=external,cn=auth";
    private static final String USER = "u:";
    private static final String DN = "dn:";
    /** What only the server itself says. */
    private static final List<String> PREFIXES = List.of(SUBJECT, FINGERPRINT, UNIX, KERBEROS);
    /** A plain name and a realm: who has a second part, as administrators and services do, is somebody else. */
    private static final Pattern PRINCIPAL = Pattern.compile(KERBEROS + "([^/@\\\\]+)@([^/@\\\\]+)");

    private final Directory directory;
    private final Schema schema;
    private final Identity administrator;
    private final List<IdentityRule> rules;
    private final boolean ownersAdministrate;
    private final String realm;
    private final AuthorizationIdentities identities;

    /**
     * @param directory is asked in the administrator's name
     * @param identities finds users by their uid
     */
    public IdentityMapping(Directory directory, Schema schema, Administrator administrator, SaslSettings settings,
            AuthorizationIdentities identities) {
        this.directory = directory;
        this.schema = schema;
        this.administrator = new Identity(administrator.dn(), true);
        this.rules = settings.rules();
        this.ownersAdministrate = settings.ownersAdministrate() && !administrator.isTurnedOff();
        this.realm = settings.kerberos() == null ? null : settings.kerberos().realm();
        this.identities = identities;
    }

    /** @param name a name as clients give it, or one with a prefix  @return null if it means nobody, or several */
    Dn user(String name) {
        boolean bare = !startsWith(name, USER) && !startsWith(name, DN) && PREFIXES.stream().noneMatch(name::startsWith);
        String whole = bare ? USER + name : name;
        Ruled ruled = ruled(whole);
        return ruled != null ? ruled.dn() : unmapped(whole);
    }

    /** Who has connected to a unix-domain socket. @return null if that is nobody, or several */
    Dn user(PeerCredentials peer) {
        String user = UNIX + peer.user();
        Ruled ruled = ruled(user);
        if (ruled == null) {
            ruled = ruled(DN + "gidNumber=" + peer.gid() + "+uidNumber=" + peer.uid() + PEER_CREDENTIALS);
        }
        if (ruled != null) {
            return ruled.dn();
        }
        return peer.ownsServer() && ownersAdministrate ? administrator.dn() : unmapped(user);
    }

    /** Who has shown a certificate. @return null if that is nobody, or several */
    Dn user(X509Certificate certificate) {
        try {
            Dn dn = user(FINGERPRINT + HexFormat.of().formatHex(Digests.of("SHA-256").digest(certificate.getEncoded())));
            return dn != null ? dn : user(SUBJECT + certificate.getSubjectX500Principal().getName());
        } catch (CertificateEncodingException e) {
            return null;
        }
    }

    /** Whom a ticket of Kerberos names. @return null if that is nobody, or several */
    Dn principal(String name) {
        return user(KERBEROS + name);
    }

    /** What the first rule that matches says. @param dn null if that is nobody, or several */
    private record Ruled(Dn dn) {
    }

    /** @return null if no rule matches */
    private Ruled ruled(String name) {
        for (IdentityRule rule : rules) {
            Matcher matcher = rule.matcher(name);
            if (matcher != null) {
                try {
                    return new Ruled(found(rule.target(), matcher));
                } catch (DirectoryException e) {
                    return new Ruled(null);
                }
            }
        }
        return null;
    }

    /** @return null if it means nobody */
    Dn authorization(String authorizationId) {
        return startsWith(authorizationId, USER) || startsWith(authorizationId, DN) ? user(authorizationId) : null;
    }

    private static boolean startsWith(String name, String prefix) {
        return name.regionMatches(true, 0, prefix, 0, prefix.length());
    }

    /** @return null if it means nobody, or several */
    private Dn unmapped(String name) {
        try {
            if (startsWith(name, DN)) {
                return Dn.parse(schema, name.substring(DN.length()));
            } else if (name.startsWith(SUBJECT)) {
                Dn dn = Dn.parse(schema, name.substring(SUBJECT.length()));
                return one(dn, SearchScope.BASE, new Filter.Present("objectClass"));
            } else if (name.startsWith(FINGERPRINT)) {
                return null;
            } else if (name.startsWith(KERBEROS)) {
                Matcher principal = PRINCIPAL.matcher(name);
                return principal.matches() && principal.group(2).equals(realm) ? identities.userNamed(context(), principal.group(1)) : null;
            }
            return identities.userNamed(context(), name.substring(name.indexOf(':') + 1));
        } catch (DirectoryException e) {
            return null;
        }
    }

    private Dn found(IdentityRule.Target target, Matcher matcher) throws DirectoryException {
        Dn dn = Dn.parse(schema, IdentityRule.filled(target.dn(), matcher, IdentityMapping::escaped));
        return !target.isSearch() ? dn : one(dn, target.scope(),
                FilterParser.parse(IdentityRule.filled(target.filter(), matcher, IdentityMapping::escaped)));
    }

    private Dn one(Dn base, SearchScope scope, Filter filter) throws DirectoryException {
        SearchRequest request = new SearchRequest(base, scope, filter, 2, 0, 0, true, false, SearchPosition.START);
        Dn found = null;
        try (EntryCursor cursor = directory.search(context(), request)) {
            for (Step step = cursor.step(Integer.MAX_VALUE); step != Step.END; step = cursor.step(Integer.MAX_VALUE)) {
                if (step == Step.MATCH && found != null) {
                    return null;
                }
                found = step == Step.MATCH ? Dn.parse(schema, cursor.dn()) : found;
            }
        }
        return found;
    }

    private OperationContext context() {
        return new OperationContext(administrator, Instant.now(), null);
    }

    /** Signs of ASCII in hexadecimal, which is right in a DN (RFC 4514 2.4) and in a filter (RFC 4515 3). */
    static String escaped(String value) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c > '\u007f' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || "-._@".indexOf(c) >= 0) {
                text.append(c);
            } else {
                text.append('\\').append(HexFormat.of().toHexDigits((byte) c));
            }
        }
        return text.toString();
    }
}
