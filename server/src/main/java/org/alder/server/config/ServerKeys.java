package org.alder.server.config;

import static org.alder.server.config.Key.Effect.CONNECTIONS;
import static org.alder.server.config.Key.Effect.RUNNING;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.alder.partition.filter.FilterLimits;
import org.alder.partition.store.FeatureLevel;
import org.alder.server.audit.AccessLogSettings;
import org.alder.server.audit.AuditLevel;
import org.alder.server.audit.ShownValues;
import org.alder.server.auth.NewPasswordScheme;
import org.alder.server.auth.ReadyHashes;
import org.alder.server.config.Key.Effect;
import org.alder.server.wire.PlaintextBind;
import org.alder.server.wire.layer.ClientCertificates;

/** All keys of the entry of objectClass alderServer, in the order in which they are shown. A new one is a row, and its use. */
public final class ServerKeys {
    private static final List<Key<?>> TABLE = new ArrayList<>();
    private static final long KIB = 1L << 10;
    private static final long GIB = 1L << 30;

    public static final Key<String> LISTEN_HOST = add(Key.one("listenHost",
            ValueType.text("a host name or an address", "\\S+"), "127.0.0.1", Effect.TLS, """
            The address to listen on. 0.0.0.0 or :: listens on all. The option --host wins."""));
    public static final Key<Integer> LISTEN_PORT = add(Key.one("listenPort",
            ValueType.number(0, 65_535), "10389", Effect.TLS, """
            The port to listen on; 0 takes a free one. The option --port wins. With TLS, the server also listens for
            ldaps 247 ports above it (10636 here, as 636 is 247 above 389), or on a free port if this is 0 or there is
            no such port; and on the unix-domain socket DATA/ldapi, for root and the user that the server runs as
            (docs/tls.md)."""));
    public static final Key<List<ListenerLine>> LISTENER = add(Key.several("listener",
            new ValueType<>(ListenerLine.FORM, ListenerLine::parse), List.of(), Effect.TLS, """
            Where to listen, instead of listenHost, listenPort and DATA/ldapi; one line for each. ldap:// is plain LDAP
            on which clients may start TLS; ldaps:// is TLS from the first byte. The default ports are 10389 and 10636;
            0 takes a free one. plaintextBind and tlsClientCertificate after the address override the keys of the same
            names for this listener; proxyFrom names the proxies that send version 2 of the PROXY protocol. ldapi:// is
            a unix-domain socket; mode says who may connect, 0600 by default. See docs/tls.md.""",
            "ldap://127.0.0.1:389 plaintextBind=all", "ldaps://[::]:636 tlsClientCertificate=optional",
            "ldaps://10.0.0.5 proxyFrom=10.0.0.2,10.1.0.0/16", "ldapi://%2Frun%2Falder%2Fldapi mode=0666"));
    public static final Key<Tls> TLS = add(Key.one("tls",
            ValueType.choice(Tls.class), "on", Effect.SWITCH, """
            Whether the server speaks TLS: on = StartTLS on ldap://, and TLS on ldaps://; none = no TLS at all. Without
            tlsCertificateFile and tlsKeyStoreFile the first start makes a key and a self-signed certificate,
            DATA/tls.key and DATA/tls.crt. See docs/tls.md."""));
    public static final Key<String> TLS_CERTIFICATE_FILE = add(file("tlsCertificateFile", Effect.TLS, """
            The server's certificate and the chain to its authority, in PEM. Relative paths start at the folder of this
            configuration. When the file changes, new connections use the new certificate, without a restart; a file
            that cannot be used is ignored, and the log says why.""", "/etc/ssl/ldap/fullchain.pem"));
    public static final Key<String> TLS_KEY_FILE = add(file("tlsKeyFile", Effect.TLS, """
            The private key of the certificate, in PEM: PKCS#8 (encrypted or not), PKCS#1, or EC. It may be in
            tlsCertificateFile, too.""", "/etc/ssl/ldap/privkey.pem"));
    public static final Key<String> TLS_KEY_STORE_FILE = add(file("tlsKeyStoreFile", Effect.TLS, """
            A PKCS#12 file with key and certificates, instead of tlsCertificateFile and tlsKeyFile.""", "/etc/ssl/ldap/server.p12"));
    public static final Key<SecretReference> TLS_PASSWORD_FILE = add(Key.optional("tlsPasswordFile", ValueType.secretFile(), Effect.TLS, """
            The password of an encrypted key or of tlsKeyStoreFile: a file with one line, or env:NAME, an environment
            variable.""", "/etc/ssl/ldap/password"));
    public static final Key<String> TLS_AUTHORITY_FILE = add(file("tlsAuthorityFile", Effect.TLS, """
            The authorities that sign client certificates: their certificates, in PEM.""", "/etc/ssl/ldap/clients-ca.pem"));
    public static final Key<List<String>> TLS_REVOCATION_FILE = add(Key.several("tlsRevocationFile", ValueType.path(), List.of(), Effect.TLS, """
            Revocation lists (CRL) for client certificates, in PEM or DER. With this key, every authority needs a list
            that has not expired.""", "/etc/ssl/ldap/clients.crl"));
    public static final Key<ClientCertificates> TLS_CLIENT_CERTIFICATE = add(Key.one("tlsClientCertificate",
            ValueType.choice(ClientCertificates.class), "off", Effect.TLS, """
            Client certificates: off = not asked for; optional = asked for, and a certificate that is shown must be
            valid; required = no TLS connection without one. optional and required need tlsAuthorityFile."""));
    public static final Key<List<String>> TLS_PROTOCOL = add(Key.several("tlsProtocol",
            ValueType.text("TLSv1.3 or TLSv1.2", "TLSv1\\.[23]"), List.of("TLSv1.3", "TLSv1.2"), Effect.TLS, """
            The versions of TLS. Older ones are not supported."""));
    public static final Key<List<String>> TLS_CIPHER_SUITE = add(Key.several("tlsCipherSuite",
            ValueType.text("the name of a cipher suite, such as TLS_AES_256_GCM_SHA384", "TLS_\\w+"), List.of(), Effect.TLS, """
            The cipher suites by their registered names, the preferred one first. Without any, Java's default ones.""",
            "TLS_AES_256_GCM_SHA384"));
    public static final Key<Integer> TLS_HANDSHAKE_THREADS = add(Key.one("tlsHandshakeThreads",
            ValueType.number(0, 1024), "0", Effect.DIVIDED, """
            Threads that compute TLS handshakes: the most processors that a flood of handshakes can keep busy. 0 = one
            for every two processors."""));
    public static final Key<Integer> MAX_TLS_HANDSHAKES = add(Key.one("maxTlsHandshakes",
            ValueType.number(0, 1_000_000), "0", Effect.DIVIDED, """
            The most concurrent TLS handshakes, at most half of them with one address. Beyond it, connections to ldaps
            are closed, and StartTLS is answered with busy. 0 = as many as fit in an eighth of the heap, at most half of
            maxConnections."""));
    public static final Key<Integer> TLS_HANDSHAKE_TIMEOUT_SECONDS = add(Key.one("tlsHandshakeTimeoutSeconds",
            ValueType.number(0, 86_400), "30", CONNECTIONS, """
            How long a TLS handshake may take, in seconds, before the client is disconnected; 0 = for ever."""));
    public static final Key<Integer> TLS_EXPIRY_WARNING_DAYS = add(Key.one("tlsExpiryWarningDays",
            ValueType.number(0, 3650), "14", Effect.TLS, """
            How many days before the server's certificate expires the log begins to warn, once a day."""));
    public static final Key<PlaintextBind> PLAINTEXT_BIND = add(Key.one("plaintextBind",
            ValueType.choice(PlaintextBind.class), "local", CONNECTIONS, """
            Whose passwords are accepted on unencrypted connections: none = nobody's (confidentialityRequired); local =
            those of clients on this machine; all = everybody's, although anybody on the network path can read them."""));
    public static final Key<String> ADMINISTRATOR_DN = add(Key.one("administratorDn",
            ValueType.text("a DN", ".+"), "cn=Directory Manager", Effect.TRUST, """
            The administrator: binds with the password in DATA/admin.password (or ALDER_ADMIN_PASSWORD, or
            --admin-password-file), and no access rule applies to it."""));
    public static final Key<SecretReference> ADMINISTRATOR_PASSWORD = add(Key.optional("administratorPassword",
            ValueType.secret(true), Effect.TRUST, """
            Where the password of administratorDn is, instead of DATA/admin.password and ALDER_ADMIN_PASSWORD: file:PATH, a file
            with one line, or env:NAME, a variable of the environment. none = nobody can log in as administratorDn; then the
            group that administrators names has to name somebody. --admin-password-file wins over all of these.""",
            "file:/etc/alder/admin.password"));
    public static final Key<String> ADMINISTRATORS = shared(Key.optional("administrators",
            ValueType.text("a DN", ".+"), RUNNING, """
            A group whose members are administrators, too, with all the rights of administratorDn. It takes effect with
            the next request of whoever is added or removed. Only direct members count: nested groups and URLs do not.
            Nobody else may change the group or its members' entries, whatever the access rules say. See
            docs/security.md.""",
            "cn=administrators,ou=groups,dc=example,dc=com"));
    public static final Key<AnonymousAccess> ANONYMOUS_ACCESS = shared(Key.one("anonymousAccess",
            ValueType.choice(AnonymousAccess.class), "rootDse", RUNNING, """
            What clients may read without a bind, under the access rules that "default" stands for: rootDse = the root
            DSE and the schema; all = every entry, without passwords."""));
    public static final Key<List<String>> ACCESS_RULE = shared(Key.several("accessRule",
            ValueType.text("an access rule (docs/access-rules.md)", ".+"), List.of("default"), RUNNING, """
            Who may do what with which entry and attribute. For each of them the first line that matches decides; what
            no line grants is denied. "default" stands for the built-in rules: users who have bound read all entries
            without passwords and keys, and change their own passwords. See docs/access-rules.md.""",
            "grant view of cn, mail in \"ou=people,dc=example,dc=com\" to anonymous", "default"));
    public static final Key<Integer> SIZE_LIMIT = shared(Key.one("sizeLimit",
            ValueType.number(0, Integer.MAX_VALUE), "0", RUNNING, """
            The most entries one search returns, whatever it asks for; 0 = no limit. A search that hits it ends with
            sizeLimitExceeded, never with success. For paged searches it applies to each page. Limits of searches do not
            apply to administrators; limitRule and attributes of entries set other limits for some clients
            (docs/limits.md)."""));
    public static final Key<Integer> SIZE_LIMIT_UNASKED = shared(Key.one("sizeLimitUnasked",
            ValueType.number(0, Integer.MAX_VALUE), "0", RUNNING, """
            The most entries returned by a search that asks for no size limit itself, if that is less than sizeLimit; 0
            = the same as sizeLimit."""));
    public static final Key<Integer> TIME_LIMIT_SECONDS = shared(Key.one("timeLimitSeconds",
            ValueType.number(0, Integer.MAX_VALUE), "600", RUNNING, """
            The longest a search may run, whatever it asks for, in seconds; 0 = no limit. It ends with timeLimitExceeded."""));
    public static final Key<Integer> TIME_LIMIT_SECONDS_UNASKED = shared(Key.one("timeLimitSecondsUnasked",
            ValueType.number(0, Integer.MAX_VALUE), "0", RUNNING, """
            The longest that a search may run that asks for no time limit itself, if that is less than timeLimitSeconds,
            in seconds; 0 = the same as timeLimitSeconds."""));
    public static final Key<Integer> EXAMINED_LIMIT = shared(Key.one("examinedLimit",
            ValueType.number(0, Integer.MAX_VALUE), "1000000", RUNNING, """
            The most entries an unindexed search may examine; 0 = no limit. It ends with adminLimitExceeded, and the message
            names the missing index."""));
    public static final Key<List<String>> LIMIT_RULE = shared(Key.several("limitRule",
            ValueType.text("a limit rule (docs/limits.md)", ".+"), List.of(), RUNNING, """
            Other limits for some clients: size, time, examined and idle (seconds without a request), each a number or
            none; size and time may have two, the first one for searches that ask for no limit themselves. The clients
            are named as in access rules. For each kind of limit the first line that applies to a client decides;
            attributes of the client's own entry come first (nsSizeLimit and others, docs/limits.md).""",
            "size=500/5000 time=60 to users", "size=none examined=none idle=none to group \"cn=sync,ou=groups,dc=example,dc=com\""));
    public static final Key<Long> MAX_REQUEST_BYTES = shared(Key.one("maxRequestBytes",
            ValueType.bytes(KIB, GIB), "16m", CONNECTIONS, """
            The largest request accepted on a connection that has bound."""));
    public static final Key<Long> MAX_REQUEST_BYTES_BEFORE_BIND = shared(Key.one("maxRequestBytesBeforeBind",
            ValueType.bytes(KIB, GIB), "64k", CONNECTIONS, """
            The largest request accepted on a connection that has not bound; at most maxRequestBytes."""));
    public static final Key<Integer> MAX_FILTER_ITEMS = shared(Key.one("maxFilterItems",
            ValueType.number(1, FilterLimits.MOST_ITEMS), "10000", RUNNING, """
            The most items, operators and substring pieces of a filter. Beyond this limit and those of the five keys
            below, a request ends with adminLimitExceeded before it is processed."""));
    public static final Key<Integer> MAX_FILTER_DEPTH = shared(Key.one("maxFilterDepth",
            ValueType.number(1, FilterLimits.MOST_DEPTH), "100", RUNNING, """
            How deep a filter may be nested."""));
    public static final Key<Long> MAX_FILTER_BYTES = shared(Key.one("maxFilterBytes",
            ValueType.bytes(KIB, GIB), "1m", RUNNING, """
            The largest filter in bytes, and so the longest value in one."""));
    public static final Key<Integer> MAX_REQUESTED_ATTRIBUTES = shared(Key.one("maxRequestedAttributes",
            ValueType.number(1, 1_000_000), "10000", RUNNING, """
            The most attributes that a search or a control may ask for."""));
    public static final Key<Integer> MAX_SORT_KEYS = shared(Key.one("maxSortKeys",
            ValueType.number(1, 100), "16", RUNNING, """
            The most keys by which a search may be sorted."""));
    public static final Key<Integer> MAX_LIST_VIEW_ENTRIES = shared(Key.one("maxListViewEntries",
            ValueType.number(1, 10_000_000), "100000", RUNNING, """
            The most entries that one virtual list view returns."""));
    public static final Key<Long> WRITE_HIGH_WATER_BYTES = add(Key.one("writeHighWaterBytes",
            ValueType.bytes(KIB, GIB), "256k", CONNECTIONS, """
            A search stops reading entries while a client has this many bytes unread, and goes on when three quarters of
            them are gone."""));
    public static final Key<Integer> TRANSACTION_UPDATES = shared(Key.one("transactionUpdates",
            ValueType.number(1, 100_000), "1000", CONNECTIONS, """
            Transactions (RFC 5805): the most updates in all open transactions of one connection. A transaction that
            exceeds one of these three limits is aborted, and the client gets a notice. While a transaction is
            committed, other updates wait."""));
    public static final Key<Long> TRANSACTION_BYTES = shared(Key.one("transactionBytes",
            ValueType.bytes(0, GIB), "16m", CONNECTIONS, """
            Transactions: the most bytes of requests that wait in all open transactions of one connection."""));
    public static final Key<Integer> TRANSACTION_SECONDS = shared(Key.one("transactionSeconds",
            ValueType.number(1, 86_400), "60", CONNECTIONS, """
            Transactions: how long one may stay open, in seconds."""));
    public static final Key<List<String>> SUPERIOR_REFERRAL = add(Key.several("superiorReferral",
            ValueType.text("ldap://HOST[:PORT] or ldaps://HOST[:PORT]", "ldaps?://[^/?\\s]+(/[^\\s]*)?"), List.of(), RUNNING, """
            LDAP URLs of the servers to which clients are referred for names outside of every suffix of this server. Of
            several lines, clients may ask any. Without one, the answer is noSuchObject.""",
            "ldap://directory.example.org"));
    public static final Key<Integer> WORKER_THREADS = add(Key.one("workerThreads",
            ValueType.number(0, 1024), "0", Effect.DIVIDED, """
            Threads for work that takes longer, such as large searches; 0 = two for each processor."""));
    public static final Key<Integer> WORKER_QUEUE = add(Key.one("workerQueue",
            ValueType.number(1, 10_000_000), "10000", Effect.DIVIDED, """
            When this many requests wait for worker threads, each connection may have only one of them; further requests
            are answered with busy."""));
    public static final Key<Integer> WARM_UP_SECONDS = add(Key.one("warmUpSeconds",
            ValueType.number(0, 600), "5", Effect.STARTS, """
            The longest time, before the server listens, that a start spends searching its own entries, so that Java has
            compiled the code that answers clients; a second or two is enough on most machines. 0 = no warm-up: the
            first thousand searches take twenty times as long as later ones. A folder with fewer than 100 entries is not
            warmed up. See docs/install.md."""));
    public static final Key<Boolean> REMEMBER_PAGES = add(Key.one("rememberPages",
            ValueType.flag(), "true", Effect.STARTS, """
            Whether the server notes, every ten minutes and when it stops, which parts of its data files are in memory, in
            DATA/hot-pages, and reads these ahead when it starts, up to half of the memory that is free then: so that it is
            not slow after the machine was started anew, until clients have brought in page after page. Linux only. See
            docs/tuning.md."""));
    public static final Key<List<String>> SASL_MECHANISM = add(Key.several("saslMechanism",
            ValueType.text("the name of a SASL mechanism", "[A-Z0-9_-]+"), List.of("EXTERNAL", "GSSAPI", "GSS-SPNEGO",
            "SCRAM-SHA-512-PLUS", "SCRAM-SHA-256-PLUS", "SCRAM-SHA-512", "SCRAM-SHA-256", "PLAIN"), RUNNING, """
            The SASL mechanisms that are offered, each where the connection allows for it (docs/authentication.md);
            ANONYMOUS has to be named to be offered."""));
    public static final Key<String> KERBEROS_KEYTAB_FILE = add(file("kerberosKeytabFile", RUNNING, """
            The keytab with the key of kerberosPrincipal, for logins with Kerberos (GSSAPI, GSS-SPNEGO;
            docs/kerberos.md). When the file changes, new logins use it, without a restart.""",
            "/etc/alder/ldap.keytab"));
    public static final Key<String> KERBEROS_PRINCIPAL = add(Key.optional("kerberosPrincipal",
            ValueType.text("a service principal, such as ldap/ldap.example.com@EXAMPLE.COM", "[^/@\\s]+/[^/@\\s]+@[^/@\\s]+"),
            RUNNING, """
            The server's name in Kerberos: ldap/, the host name that clients connect to, @ and the realm.""",
            "ldap/ldap.example.com@EXAMPLE.COM"));
    public static final Key<List<String>> IDENTITY_RULE = shared(Key.several("identityRule",
            ValueType.text("a regular expression, blanks, and a DN or an LDAP URL", "\\S+\\s+\\S.*"), List.of(), RUNNING, """
            Which entry a SASL name stands for: a pattern for u:NAME, of subject:DN and sha256:FINGERPRINT of a
            certificate, or of unix:USER and dn:gidNumber=N+uidNumber=N,cn=peercred,cn=external,cn=auth on a unix-domain
            socket, or of kerberos:PRINCIPAL; and a DN or ldap:///BASE??SCOPE?FILTER with $1 to $9 for the pattern's
            groups. The first rule that matches decides; without one a name, also a plain one in the server's realm of
            Kerberos, is a uid, and a certificate's subject the name of an entry.""",
            "u:([^@]+)@example\\.com uid=$1,ou=people,dc=example,dc=com", "unix:root cn=Directory Manager",
            "kerberos:([^/@]+)/admin@EXAMPLE\\.COM uid=$1,ou=administrators,dc=example,dc=com"));
    public static final Key<SocketAdministrators> SOCKET_ADMINISTRATORS = add(Key.one("socketAdministrators",
            ValueType.choice(SocketAdministrators.class), "owners", Effect.TRUST, """
            Who becomes the administrator by SASL EXTERNAL on a unix-domain socket, without a password: owners = root
            and the user that the server runs as, who can read and change the data folder anyway; none = only users that
            an identityRule maps to the administrator. identityRule comes first. With administratorPassword: none,
            nobody does."""));
    public static final Key<NewPasswordScheme> PASSWORD_SCHEME = shared(Key.one("passwordScheme",
            ValueType.choice(NewPasswordScheme.class), "argon2id", RUNNING, """
            How new passwords are stored (docs/passwords.md). bcrypt has cost 12; scramSha256 and scramSha512 are needed
            for logins by SCRAM; ssha512 is fast, for attackers too; keep stores them in clear text."""));
    public static final Key<NewPasswordScheme> IMPORT_PASSWORD_SCHEME = shared(Key.one("importPasswordScheme",
            ValueType.choice(NewPasswordScheme.class), "ssha512", RUNNING, """
            How import stores passwords that are in clear text in the file. It should be fast, since a file may have
            millions; the next login stores the password in passwordScheme."""));
    public static final Key<Boolean> PASSWORD_UPGRADE = shared(Key.one("passwordUpgrade",
            ValueType.flag(), "true", RUNNING, """
            Whether a hash that is weaker than passwordScheme is replaced when its user logs in."""));
    public static final Key<Long> ARGON2_BYTES = add(Key.one("argon2Bytes",
            ValueType.bytes(8 * KIB, GIB), "19m", Effect.DIVIDED, """
            The memory that a hash of argon2id takes; at most a quarter of the heap. The verb calibrate finds what suits a
            machine."""));
    public static final Key<Integer> ARGON2_PASSES = shared(Key.one("argon2Passes",
            ValueType.number(1, 1000), "2", RUNNING, """
            How often a hash of argon2id goes over its memory."""));
    public static final Key<Integer> PBKDF2_ROUNDS = shared(Key.one("pbkdf2Rounds",
            ValueType.number(4096, 10_000_000), "210000", RUNNING, """
            Rounds of pbkdf2Sha512, and up to 65536 of them of scramSha256 and scramSha512, because ldapsearch refuses more."""));
    public static final Key<ReadyHashes> READY_HASHES = add(Key.one("readyHashes",
            ValueType.choice(ReadyHashes.class), "administrator", RUNNING, """
            Who may store passwords that are already hashed, or locks such as *, whose quality nobody can check: none,
            administrator or all. Others get constraintViolation. Import always accepts them."""));
    public static final Key<PasswordPolicyUse> PASSWORD_POLICY = shared(Key.one("passwordPolicy",
            ValueType.choice(PasswordPolicyUse.class), "on", RUNNING, """
            Whether password policies apply: on = the keys below apply to all users except those with a policy entry
            (class pwdPolicy); none = no policy applies, and policy entries mean nothing. See docs/password-policy.md."""));
    public static final Key<String> PASSWORD_POLICY_ENTRY = shared(Key.optional("passwordPolicyEntry",
            ValueType.text("a DN", ".+"), RUNNING, """
            An entry of class pwdPolicy that replaces the keys below, as ppolicy_default of OpenLDAP does.""",
            "cn=default,ou=policies,dc=example,dc=com"));
    public static final Key<Integer> PASSWORD_POLICY_MIN_LENGTH = shared(Key.one("passwordPolicyMinLength",
            ValueType.number(0, 1024), "8", RUNNING, """
            The least number of characters of a password."""));
    public static final Key<Integer> PASSWORD_POLICY_MAX_LENGTH = shared(Key.one("passwordPolicyMaxLength",
            ValueType.number(0, 1024), "0", RUNNING, """
            The most characters of a password; 0 = no limit but that of 1024 bytes."""));
    public static final Key<Integer> PASSWORD_POLICY_QUALITY = shared(Key.one("passwordPolicyQuality",
            ValueType.number(0, 2), "1", RUNNING, """
            Whether the quality of new passwords is checked: 0 = no; 1 = of those in clear text, while hashes are
            accepted as they are; 2 = of all, and hashes are refused."""));
    public static final Key<Integer> PASSWORD_POLICY_MIN_CLASSES = shared(Key.one("passwordPolicyMinClasses",
            ValueType.number(0, 4), "0", RUNNING, """
            How many kinds of characters a password must have, if quality is checked: lower case, upper case, digits,
            others. It also applies under policy entries."""));
    public static final Key<String> PASSWORD_POLICY_DICTIONARY_FILE = add(file("passwordPolicyDictionaryFile", RUNNING, """
            Words that are refused as passwords, if quality is checked, in addition to some hundred built-in ones:
            UTF-8, one word a line, at most 1,000,000. The file is read at the start, and when the configuration
            changes.""", "/usr/share/dict/words"));
    public static final Key<Boolean> PASSWORD_POLICY_OWN_NAMES = shared(Key.one("passwordPolicyOwnNames",
            ValueType.flag(), "true", RUNNING, """
            Whether passwords that contain the user's uid, names or mail address are refused, if quality is checked."""));
    public static final Key<Integer> PASSWORD_POLICY_HISTORY = shared(Key.one("passwordPolicyHistory",
            ValueType.number(0, 1000), "0", RUNNING, """
            How many old passwords of a user are remembered and cannot be used again."""));
    public static final Key<Integer> PASSWORD_POLICY_MIN_AGE_SECONDS = shared(seconds("passwordPolicyMinAgeSeconds", "0", """
            How long a user must keep a password before changing it again, in seconds."""));
    public static final Key<Boolean> PASSWORD_POLICY_MUST_CHANGE = shared(Key.one("passwordPolicyMustChange",
            ValueType.flag(), "false", RUNNING, """
            Whether users must change a password that an administrator has set before they can do anything else."""));
    public static final Key<Boolean> PASSWORD_POLICY_ALLOW_USER_CHANGE = shared(Key.one("passwordPolicyAllowUserChange",
            ValueType.flag(), "true", RUNNING, """
            Whether users may change their own passwords."""));
    public static final Key<Boolean> PASSWORD_POLICY_SAFE_MODIFY = shared(Key.one("passwordPolicySafeModify",
            ValueType.flag(), "false", RUNNING, """
            Whether users must send the old password with the new one."""));
    public static final Key<Integer> PASSWORD_POLICY_MAX_AGE_SECONDS = shared(seconds("passwordPolicyMaxAgeSeconds", "0", """
            How long until a password expires, in seconds; 0 = never. Then grace logins apply, if there are any."""));
    public static final Key<Integer> PASSWORD_POLICY_WARNING_SECONDS = shared(seconds("passwordPolicyWarningSeconds", "0", """
            How long before a password expires its user is warned at each login, in seconds."""));
    public static final Key<Integer> PASSWORD_POLICY_GRACE_LOGINS = shared(Key.one("passwordPolicyGraceLogins",
            ValueType.number(0, 1000), "0", RUNNING, """
            How often a user may log in with an expired password, to change it."""));
    public static final Key<Integer> PASSWORD_POLICY_GRACE_SECONDS = shared(seconds("passwordPolicyGraceSeconds", "0", """
            How long after the password has expired there are grace logins, in seconds; 0 = for ever."""));
    public static final Key<Integer> PASSWORD_POLICY_MAX_IDLE_SECONDS = shared(seconds("passwordPolicyMaxIdleSeconds", "0", """
            An account that has not been used for this long is locked, in seconds; 0 = never."""));
    public static final Key<Integer> PASSWORD_POLICY_MAX_FAILURES = shared(Key.one("passwordPolicyMaxFailures",
            ValueType.number(0, 1000), "10", RUNNING, """
            The number of wrong passwords after which an account is locked; 0 = never."""));
    public static final Key<Integer> PASSWORD_POLICY_FAILURE_SECONDS = shared(seconds("passwordPolicyFailureSeconds", "86400", """
            How long a wrong password counts, in seconds; 0 = until the next successful login."""));
    public static final Key<Integer> PASSWORD_POLICY_LOCKOUT_SECONDS = shared(seconds("passwordPolicyLockoutSeconds", "60", """
            How long an account is locked after too many wrong passwords, in seconds; 0 = until an administrator unlocks
            it. Each further wrong password doubles the time."""));
    public static final Key<Integer> PASSWORD_POLICY_MOST_LOCKOUT_SECONDS = shared(seconds("passwordPolicyMostLockoutSeconds", "3600",
            """
            The most that this time grows to, in seconds; with passwordPolicyLockoutSeconds or less it does not grow."""));
    public static final Key<Integer> PASSWORD_POLICY_MIN_DELAY_SECONDS = shared(seconds("passwordPolicyMinDelaySeconds", "0", """
            How long after a wrong password the next one is refused, in seconds, doubled by each further wrong one; 0 =
            no delay."""));
    public static final Key<Integer> PASSWORD_POLICY_MAX_DELAY_SECONDS = shared(seconds("passwordPolicyMaxDelaySeconds", "0", """
            The most that this delay grows to, in seconds."""));
    public static final Key<Boolean> PASSWORD_POLICY_TELL_LOCKS = shared(Key.one("passwordPolicyTellLocks",
            ValueType.flag(), "false", RUNNING, """
            Whether clients that send the password policy control are told that an account is locked. It also tells
            attackers which names exist."""));
    public static final Key<Integer> LAST_LOGIN_SECONDS = add(seconds("lastLoginSeconds", "3600", """
            The time of a login is stored in the user's entry (pwdLastSuccess) if the stored time is older than this, in
            seconds; 0 = it is not stored."""));
    public static final Key<Integer> PASSWORD_THREADS = add(Key.one("passwordThreads",
            ValueType.number(0, 1024), "0", Effect.DIVIDED, """
            Threads that hash passwords, and nothing else, so that a flood of logins delays only logins; 0 = one for
            every two processors."""));
    public static final Key<Integer> PASSWORD_QUEUE = add(Key.one("passwordQueue",
            ValueType.number(2, 1_000_000), "1000", Effect.DIVIDED, """
            The most requests that wait for these threads, at most half of them from one address; beyond it, they are
            answered with busy. Addresses take turns, and so do the users of one address."""));
    public static final Key<Integer> MAX_CONNECTIONS = add(Key.one("maxConnections",
            ValueType.number(0, 1_000_000), "0", RUNNING, """
            The most connections at a time. Beyond it, a client gets a notice (busy) and is disconnected. 0 = as many as
            the process can afford: its file descriptors less an eighth and 256, which the store needs, and one for each
            48 KiB of heap."""));
    public static final Key<Integer> MAX_CONNECTIONS_PER_ADDRESS = add(Key.one("maxConnectionsPerAddress",
            ValueType.number(0, 1_000_000), "0", RUNNING, """
            The most connections of one address at a time. 0 = half of maxConnections."""));
    public static final Key<Integer> MAX_CONNECTIONS_PER_IDENTITY = add(Key.one("maxConnectionsPerIdentity",
            ValueType.number(0, 1_000_000), "0", RUNNING, """
            The most connections at a time that have bound as one identity, except administrators; beyond it, a bind is
            answered with busy. 0 = half of maxConnections."""));
    public static final Key<Integer> MAX_CONNECTIONS_BEFORE_BIND = add(Key.one("maxConnectionsBeforeBind",
            ValueType.number(0, 1_000_000), "0", RUNNING, """
            The most connections that have not bound. Beyond it, the oldest of them gets a notice (busy) and is
            disconnected. 0 = half of maxConnections."""));
    public static final Key<Integer> MAX_OPERATIONS_PER_CONNECTION = shared(Key.one("maxOperationsPerConnection",
            ValueType.number(1, 100_000), "256", RUNNING, """
            The most requests of one connection at a time; no more are read from it until one has ended."""));
    public static final Key<Integer> MAX_FOLLOWED_SEARCHES = shared(Key.one("maxFollowedSearches",
            ValueType.number(0, 1_000_000), "1000", RUNNING, """
            The most searches at a time that follow changes, such as those of replicas: each looks at every update.
            Beyond it, a search ends with adminLimitExceeded."""));
    public static final Key<Integer> MAX_FOLLOWED_SEARCHES_PER_IDENTITY = shared(Key.one("maxFollowedSearchesPerIdentity",
            ValueType.number(0, 1_000_000), "250", RUNNING, """
            The most of them for one identity; administrators may have all that are left."""));
    public static final Key<Integer> ANSWER_TIMEOUT_SECONDS = add(Key.one("answerTimeoutSeconds",
            ValueType.number(0, 86_400), "120", CONNECTIONS, """
            A client that reads neither all nor 16 KiB of the answers that wait for it within this time is disconnected,
            in seconds; 0 = never."""));
    public static final Key<Integer> STOP_TIMEOUT_SECONDS = add(Key.one("stopTimeoutSeconds",
            ValueType.number(0, 3600), "10", RUNNING, """
            When the server stops: how long it lets running operations finish, in seconds. Meanwhile it accepts no
            connections and begins no requests, and disconnects idle clients; then all."""));
    public static final Key<Integer> FIRST_MESSAGE_TIMEOUT_SECONDS = add(Key.one("firstMessageTimeoutSeconds",
            ValueType.number(0, 86_400), "30", CONNECTIONS, """
            How long a client may take to send its first complete request, in seconds, before it is disconnected
            (timeLimitExceeded); 0 = for ever."""));
    public static final Key<Integer> MESSAGE_TIMEOUT_SECONDS = add(Key.one("messageTimeoutSeconds",
            ValueType.number(0, 86_400), "120", CONNECTIONS, """
            How long a client may take to complete a request that it has begun to send, in seconds; 0 = for ever."""));
    public static final Key<Integer> IDLE_TIMEOUT_SECONDS_BEFORE_BIND = shared(Key.one("idleTimeoutSecondsBeforeBind",
            ValueType.number(0, 31_536_000), "300", CONNECTIONS, """
            How long a client that has not bound may be idle, in seconds; 0 = for ever."""));
    public static final Key<Integer> IDLE_TIMEOUT_SECONDS = shared(Key.one("idleTimeoutSeconds",
            ValueType.number(0, 31_536_000), "0", CONNECTIONS, """
            The same for a client that has bound, in seconds; 0 = for ever."""));
    public static final Key<Integer> BIND_TIMEOUT_SECONDS = add(Key.one("bindTimeoutSeconds",
            ValueType.number(0, 31_536_000), "0", CONNECTIONS, """
            How long a connection may last without a bind, in seconds, whatever it asks for; then it gets a notice
            (timeLimitExceeded) and is disconnected. 0 = for ever, for servers that anonymous clients read."""));
    public static final Key<Long> UNFINISHED_BYTES = add(Key.one("unfinishedBytes",
            ValueType.bytes(0, Long.MAX_VALUE), "8%", Effect.DIVIDED, """
            Heap for incompletely received requests of all clients together; a client that needs more is disconnected
            (busy). This and operationBytes together may be at most half of the heap; beyond a quarter, partitions get
            less."""));
    public static final Key<Long> OPERATION_BYTES = add(Key.one("operationBytes",
            ValueType.bytes(0, Long.MAX_VALUE), "15%", Effect.DIVIDED, """
            Heap for everything else that is held for clients: waiting requests, unread answers, entries being sorted or
            collected. An operation that finds too little left is answered with busy, or with adminLimitExceeded if it
            needs more than the whole. When half of it is in use, clients get at most 4 KiB ahead of what they read."""));

    public static final Key<List<String>> SCHEMA_FILE = add(Key.several("schemaFile", ValueType.path(), List.of(), Effect.SCHEMA, """
            Schema files that are read after those in conf/schema of the installation, in this order, in either of the
            forms that docs/schema.md describes. Relative paths start at the folder of this configuration.""",
            "schema/acme.schema"));
    public static final Key<List<LogLevelLine>> LOG_LEVEL = add(Key.several("logLevel",
            new ValueType<>(LogLevelLine.FORM, LogLevelLine::parse), List.of(), RUNNING, """
            How much the server logs on standard error: a level for everything, or a level with the package or class of
            Alder to which it applies. The default is info, or -Dalder.log.level in ALDER_JAVA_OPTS.""",
            "debug", "debug org.alder.server.wire"));
    public static final Key<AuditLevel> AUDIT = add(Key.one("audit",
            ValueType.choice(AuditLevel.class), "security", RUNNING, """
            What the audit log records (docs/security.md): off = nothing; security = logins, failed logins, denials,
            events of password policies, and changes of the setup; writes = updates, too; all = every request."""));
    public static final Key<String> AUDIT_FILE = add(file("auditFile", Effect.AUDIT, """
            The file of the audit log; each line is a JSON object. Default: DATA/audit/audit.jsonl. Older files are
            beside it: audit-1.jsonl and so on.""", "/var/log/alder/audit.jsonl"));
    public static final Key<Long> AUDIT_FILE_BYTES = add(Key.one("auditFileBytes",
            ValueType.bytes(64 * KIB, 1024 * GIB), "64m", Effect.AUDIT, """
            The size at which the audit log starts a new file."""));
    public static final Key<Integer> AUDIT_FILE_HOURS = add(Key.one("auditFileHours",
            ValueType.number(0, 87_600), "24", Effect.AUDIT, """
            The age at which the audit log starts a new file, in hours; 0 = never."""));
    public static final Key<Integer> AUDIT_FILES_KEPT = add(Key.one("auditFilesKept",
            ValueType.number(0, 1_000_000), "30", Effect.AUDIT, """
            How many older files of the audit log are kept; 0 = all of them."""));
    public static final Key<AuditWhenFull> AUDIT_WHEN_FULL = add(Key.one("auditWhenFull",
            ValueType.choice(AuditWhenFull.class), "drop", Effect.AUDIT, """
            What happens when the audit log cannot be written (fast enough), as on a full disk, and 8 MiB of events
            wait: drop = further events are lost, and counted in cn=Monitor, the log and the audit log; block = requests
            that must be audited wait, and with them the server."""));

    public static final Key<AccessLogSettings.Told> ACCESS_LOG = add(Key.one("accessLog",
            ValueType.choice(AccessLogSettings.Told.class), "off", RUNNING, """
            Which operations are written to the access log, each with what it cost (docs/access-log.md): off = none;
            slow = those that took slowMillis or longer, and searches that lacked an index; all = all of them. It never
            delays operations: lines that cannot be written in time are lost, and counted in cn=Monitor."""));
    public static final Key<String> ACCESS_LOG_FILE = add(file("accessLogFile", RUNNING, """
            The file of the access log; each line is a JSON object. Default: DATA/access/access.jsonl. Older files are
            beside it: access-1.jsonl and so on.""", "/var/log/alder/access.jsonl"));
    public static final Key<Long> ACCESS_LOG_BYTES = add(Key.one("accessLogBytes",
            ValueType.bytes(512 * KIB, 1024 * GIB), "512m", RUNNING, """
            The most disk space of all files of the access log: it starts a new file at an eighth of this, and deletes
            the oldest of eight."""));
    public static final Key<ShownValues> ACCESS_LOG_VALUES = add(Key.one("accessLogValues",
            ValueType.choice(ShownValues.class), "cut", RUNNING, """
            How much the access log shows of values in filters, compares and updates: none = nothing; cut = the first 32
            bytes of each; all = everything that fits in a line. Passwords and keys are never shown, names of entries
            are."""));
    public static final Key<Integer> SLOW_MILLIS = add(Key.one("slowMillis",
            ValueType.number(1, 3_600_000), "500", RUNNING, """
            An operation that takes at least this many milliseconds, from when it was read until it is answered, counts
            as slow."""));

    public static final Key<HttpListenerLine> HTTP_LISTENER = add(Key.optional("httpListener",
            new ValueType<>(HttpListenerLine.FORM, HttpListenerLine::parse), Effect.TLS, """
            The address for monitoring over HTTP, without a login: /metrics, /healthz and /readyz (docs/metrics.md).
            Without this key there is no such port. https uses the certificates of LDAP. The default port is 9389; 0
            takes a free one.""", "http://127.0.0.1:9389"));
    public static final Key<Boolean> HTTP_CONSOLE = add(Key.one("httpConsole", ValueType.flag(), "false", Effect.TLS, """
            Whether there is a console for browsers at /console of httpListener (docs/console.md). Users log in with
            their LDAP passwords, so httpListener must be https, or listen on this machine only, such as on 127.0.0.1."""));

    private ServerKeys() {
    }

    private static Key<Integer> seconds(String name, String byDefault, String text) {
        return Key.one(name, ValueType.number(0, Integer.MAX_VALUE), byDefault, RUNNING, text);
    }

    private static Key<String> file(String name, Effect effect, String text, String example) {
        return Key.optional(name, ValueType.path(), effect, text, example);
    }

    private static <T> Key<T> add(Key<T> key) {
        TABLE.add(key);
        return key;
    }

    /** One that the members of a cluster have in common. */
    private static <T> Key<T> shared(Key<T> key) {
        return add(key.ofCluster(FeatureLevel.FIRST));
    }

    static List<Key<?>> all() {
        return Collections.unmodifiableList(TABLE);
    }

    /** What holds between values. */
    static void check(Settings settings) throws ConfigurationException {
        requireOrder(settings, PASSWORD_POLICY_MIN_LENGTH, PASSWORD_POLICY_MAX_LENGTH);
        requireOrder(settings, PASSWORD_POLICY_MIN_AGE_SECONDS, PASSWORD_POLICY_MAX_AGE_SECONDS);
        requireOrder(settings, PASSWORD_POLICY_WARNING_SECONDS, PASSWORD_POLICY_MAX_AGE_SECONDS);
        SecretReference password = settings.get(ADMINISTRATOR_PASSWORD);
        if (password != null && password.kind() == SecretReference.Kind.NONE && settings.get(ADMINISTRATORS) == null) {
            throw settings.fault(ADMINISTRATOR_PASSWORD, "none, and there is no key administrators: expected one of the two, or"
                    + " nobody could administer the server");
        }
        long before = settings.get(MAX_REQUEST_BYTES_BEFORE_BIND);
        long after = settings.get(MAX_REQUEST_BYTES);
        if (before > after) {
            Key<?> given = settings.isGiven(MAX_REQUEST_BYTES_BEFORE_BIND) ? MAX_REQUEST_BYTES_BEFORE_BIND : MAX_REQUEST_BYTES;
            throw settings.fault(given, "maxRequestBytesBeforeBind is " + before + " and maxRequestBytes is " + after
                    + ", expected at most as many bytes before the bind as after it");
        }
        checkKerberos(settings);
        checkLogLevels(settings);
    }

    private static void checkLogLevels(Settings settings) throws ConfigurationException {
        Set<String> loggers = new HashSet<>();
        List<LogLevelLine> lines = settings.get(LOG_LEVEL);
        for (int i = 0; i < lines.size(); i++) {
            if (!loggers.add(lines.get(i).logger())) {
                throw settings.fault(LOG_LEVEL, i, "a second line for " + lines.get(i).logger() + ", expected the only one for it");
            }
        }
    }

    private static void checkKerberos(Settings settings) throws ConfigurationException {
        if (settings.get(KERBEROS_KEYTAB_FILE) == null && settings.get(KERBEROS_PRINCIPAL) != null) {
            throw settings.fault(KERBEROS_PRINCIPAL, "expected kerberosKeytabFile with its key");
        } else if (settings.get(KERBEROS_KEYTAB_FILE) != null && settings.get(KERBEROS_PRINCIPAL) == null) {
            throw settings.fault(KERBEROS_KEYTAB_FILE, "expected kerberosPrincipal, whose key is in it");
        }
    }

    /** @param upper 0 is no limit */
    private static void requireOrder(Settings settings, Key<Integer> lower, Key<Integer> upper) throws ConfigurationException {
        int least = settings.get(lower);
        int most = settings.get(upper);
        if (most > 0 && least > most) {
            throw settings.fault(settings.isGiven(lower) ? lower : upper, lower + " is " + least + " and " + upper + " is " + most
                    + ", expected at most as much");
        }
    }
}
