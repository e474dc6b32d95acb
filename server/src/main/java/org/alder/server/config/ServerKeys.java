package org.alder.server.config;

import static org.alder.server.config.Key.Effect.CONNECTIONS;
import static org.alder.server.config.Key.Effect.RUNNING;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.alder.partition.filter.FilterLimits;
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
            The port to listen on; 0 takes a free one. The option --port wins. With TLS, clients that begin with it (ldaps) come
            in 247 ports above it, which is 10636 here, as 636 is above 389; at 0 or beyond the last port, at a free one. The
            unix-domain socket DATA/ldapi is listened on too, for root and the user that the server runs as (docs/tls.md)."""));
    public static final Key<List<ListenerLine>> LISTENER = add(Key.several("listener",
            new ValueType<>(ListenerLine.FORM, ListenerLine::parse), List.of(), Effect.TLS, """
            Where to listen, instead of listenHost, listenPort and DATA/ldapi; one line for each. ldap:// begins in clear, and
            clients may start TLS on it; ldaps:// begins with TLS. Without a port it is 10389 or 10636; 0 takes a free one.
            plaintextBind and tlsClientCertificate behind it say for those who come in there what the keys of the same names say
            for all; proxyFrom names the proxies that speak version 2 of the PROXY protocol. ldapi:// is a unix-domain socket;
            mode says who may connect, 0600 if it is not given. See docs/tls.md.""",
            "ldap://127.0.0.1:389 plaintextBind=all", "ldaps://[::]:636 tlsClientCertificate=optional",
            "ldaps://10.0.0.5 proxyFrom=10.0.0.2,10.1.0.0/16", "ldapi://%2Frun%2Falder%2Fldapi mode=0666"));
    public static final Key<Tls> TLS = add(Key.one("tls",
            ValueType.choice(Tls.class), "on", Effect.SWITCH, """
            Whether there is TLS: on = clients may start it on ldap:// (StartTLS), and ldaps:// begins with it; none = there is
            none. Without tlsCertificateFile and tlsKeyStoreFile the first start makes a key and a certificate that it signs
            itself, DATA/tls.key and DATA/tls.crt. See docs/tls.md."""));
    public static final Key<String> TLS_CERTIFICATE_FILE = add(file("tlsCertificateFile", Effect.TLS, """
            The server's certificate and those that lead to its authority, in PEM. Files are found from the folder of this
            configuration. When one of them changes, new connections have what is new, without a restart; one that cannot be
            used changes nothing, and the log says why.""", "/etc/ssl/ldap/fullchain.pem"));
    public static final Key<String> TLS_KEY_FILE = add(file("tlsKeyFile", Effect.TLS, """
            The private key of the certificate, in PEM: PKCS#8, encrypted or not, PKCS#1, or of an elliptic curve. It can stand
            in tlsCertificateFile too.""", "/etc/ssl/ldap/privkey.pem"));
    public static final Key<String> TLS_KEY_STORE_FILE = add(file("tlsKeyStoreFile", Effect.TLS, """
            Key and certificates in one file of PKCS#12, instead of the two.""", "/etc/ssl/ldap/server.p12"));
    public static final Key<SecretReference> TLS_PASSWORD_FILE = add(Key.optional("tlsPasswordFile", ValueType.secretFile(), Effect.TLS, """
            A file with the password of an encrypted key or of tlsKeyStoreFile, as one line; or env:NAME, a variable of the
            environment.""", "/etc/ssl/ldap/password"));
    public static final Key<String> TLS_AUTHORITY_FILE = add(file("tlsAuthorityFile", Effect.TLS, """
            The certificates of the authorities that sign those of clients, in PEM.""", "/etc/ssl/ldap/clients-ca.pem"));
    public static final Key<List<String>> TLS_REVOCATION_FILE = add(Key.several("tlsRevocationFile", ValueType.path(), List.of(), Effect.TLS, """
            Lists of certificates of clients that are void (CRL), in PEM or DER; with any, every authority needs a list that
            has not run out.""", "/etc/ssl/ldap/clients.crl"));
    public static final Key<ClientCertificates> TLS_CLIENT_CERTIFICATE = add(Key.one("tlsClientCertificate",
            ValueType.choice(ClientCertificates.class), "off", Effect.TLS, """
            Whether clients show certificates: off = they are not asked; optional = they are asked, and one that is shown has to
            be valid; required = without one there is no TLS. All but off needs tlsAuthorityFile."""));
    public static final Key<List<String>> TLS_PROTOCOL = add(Key.several("tlsProtocol",
            ValueType.text("TLSv1.3 or TLSv1.2", "TLSv1\\.[23]"), List.of("TLSv1.3", "TLSv1.2"), Effect.TLS, """
            The versions of TLS. Older ones are not spoken."""));
    public static final Key<List<String>> TLS_CIPHER_SUITE = add(Key.several("tlsCipherSuite",
            ValueType.text("the name of a cipher suite, such as TLS_AES_256_GCM_SHA384", "TLS_\\w+"), List.of(), Effect.TLS, """
            The cipher suites, the preferred one first, by their registered names. Without any, those that Java holds safe.""",
            "TLS_AES_256_GCM_SHA384"));
    public static final Key<Integer> TLS_HANDSHAKE_THREADS = add(Key.one("tlsHandshakeThreads",
            ValueType.number(0, 1024), "0", Effect.DIVIDED, """
            Threads for what TLS handshakes calculate: so many processors a storm of them can keep busy. 0 = one for every two
            processors."""));
    public static final Key<Integer> MAX_TLS_HANDSHAKES = add(Key.one("maxTlsHandshakes",
            ValueType.number(0, 1_000_000), "0", Effect.DIVIDED, """
            The most TLS handshakes that are under way at a time, half of them with one address; what is more is disconnected, or
            answered with busy if it asked for TLS. 0 = as many as an eighth of the heap affords, at most half of
            maxConnections."""));
    public static final Key<Integer> TLS_HANDSHAKE_TIMEOUT_SECONDS = add(Key.one("tlsHandshakeTimeoutSeconds",
            ValueType.number(0, 86_400), "30", CONNECTIONS, """
            How long a TLS handshake may take, in seconds, before the client is disconnected; 0 = for ever."""));
    public static final Key<Integer> TLS_EXPIRY_WARNING_DAYS = add(Key.one("tlsExpiryWarningDays",
            ValueType.number(0, 3650), "14", Effect.TLS, """
            So many days before the server's certificate expires the log begins to warn of it, once a day."""));
    public static final Key<PlaintextBind> PLAINTEXT_BIND = add(Key.one("plaintextBind",
            ValueType.choice(PlaintextBind.class), "local", CONNECTIONS, """
            Whose passwords are taken on a connection that nothing protects: none = nobody's, who sends one gets
            confidentialityRequired; local = those of clients on this machine; all = everybody's, for everybody on the way to read."""));
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
    public static final Key<String> ADMINISTRATORS = add(Key.optional("administrators",
            ValueType.text("a DN", ".+"), RUNNING, """
            A group whose members are administrators too, with all the rights of administratorDn, from the request on that they
            send after they were put in, until the request that they send after they were taken out. Only whom the group names
            itself: groups in it and URLs do not count. Nobody else may change the group or its members' entries, whatever the
            access rules say. See docs/security.md.""",
            "cn=administrators,ou=groups,dc=example,dc=com"));
    public static final Key<AnonymousAccess> ANONYMOUS_ACCESS = add(Key.one("anonymousAccess",
            ValueType.choice(AnonymousAccess.class), "rootDse", RUNNING, """
            What clients may read that have not bound, by the access rules that "default" stands for: rootDse = the root DSE
            and the schema; all = every entry but passwords."""));
    public static final Key<List<String>> ACCESS_RULE = add(Key.several("accessRule",
            ValueType.text("an access rule (docs/access-rules.md)", ".+"), List.of("default"), RUNNING, """
            Who may do what with which entry and attribute. For each of them the first line decides that says something of it;
            what no line grants is denied. "default" stands for the rules of a server that is not told any: whoever has bound
            sees all entries but passwords and keys, and changes his own password. See docs/access-rules.md.""",
            "grant view of cn, mail in \"ou=people,dc=example,dc=com\" to anonymous", "default"));
    public static final Key<Integer> SIZE_LIMIT = add(Key.one("sizeLimit",
            ValueType.number(0, Integer.MAX_VALUE), "0", RUNNING, """
            The most entries one search returns, whatever it asks for; 0 = no limit. A search that is cut ends with sizeLimitExceeded, never with
            success. Paged searches are limited for each page only. The limits of searches do not apply to administrators; limitRule
            and attributes of entries say others for some clients (docs/limits.md)."""));
    public static final Key<Integer> SIZE_LIMIT_UNASKED = add(Key.one("sizeLimitUnasked",
            ValueType.number(0, Integer.MAX_VALUE), "0", RUNNING, """
            The most entries returned by a search that does not say how many it wants, if that is less than sizeLimit; 0 = as
            many as sizeLimit."""));
    public static final Key<Integer> TIME_LIMIT_SECONDS = add(Key.one("timeLimitSeconds",
            ValueType.number(0, Integer.MAX_VALUE), "600", RUNNING, """
            The longest a search may run, whatever it asks for, in seconds; 0 = no limit. It ends with timeLimitExceeded."""));
    public static final Key<Integer> TIME_LIMIT_SECONDS_UNASKED = add(Key.one("timeLimitSecondsUnasked",
            ValueType.number(0, Integer.MAX_VALUE), "0", RUNNING, """
            The longest that a search may run that does not say how long it may, if that is less than timeLimitSeconds, in seconds;
            0 = as long as timeLimitSeconds."""));
    public static final Key<Integer> EXAMINED_LIMIT = add(Key.one("examinedLimit",
            ValueType.number(0, Integer.MAX_VALUE), "1000000", RUNNING, """
            The most entries an unindexed search may examine; 0 = no limit. It ends with adminLimitExceeded, and the message
            names the missing index."""));
    public static final Key<List<String>> LIMIT_RULE = add(Key.several("limitRule",
            ValueType.text("a limit rule (docs/limits.md)", ".+"), List.of(), RUNNING, """
            Other limits for some clients: size, time, examined and idle (seconds without a request), each with one number or none,
            and size and time with two if there is another one for searches that ask for none. To whom it speaks is written as in
            access rules. For each kind of limit the first line decides that speaks to a client and says something of it; attributes
            of his own entry come first (nsSizeLimit and others, docs/limits.md).""",
            "size=500/5000 time=60 to users", "size=none examined=none idle=none to group \"cn=sync,ou=groups,dc=example,dc=com\""));
    public static final Key<Long> MAX_REQUEST_BYTES = add(Key.one("maxRequestBytes",
            ValueType.bytes(KIB, GIB), "16m", CONNECTIONS, """
            The largest request accepted on a connection that has bound."""));
    public static final Key<Long> MAX_REQUEST_BYTES_BEFORE_BIND = add(Key.one("maxRequestBytesBeforeBind",
            ValueType.bytes(KIB, GIB), "64k", CONNECTIONS, """
            The largest request accepted on a connection that has not bound; at most maxRequestBytes."""));
    public static final Key<Integer> MAX_FILTER_ITEMS = add(Key.one("maxFilterItems",
            ValueType.number(1, FilterLimits.MOST_ITEMS), "10000", RUNNING, """
            Of how many items, operators and pieces of substrings a filter may consist. Beyond this and the five keys below a request
            ends with adminLimitExceeded, before anything is made of it."""));
    public static final Key<Integer> MAX_FILTER_DEPTH = add(Key.one("maxFilterDepth",
            ValueType.number(1, FilterLimits.MOST_DEPTH), "100", RUNNING, """
            How deep a filter may be nested."""));
    public static final Key<Long> MAX_FILTER_BYTES = add(Key.one("maxFilterBytes",
            ValueType.bytes(KIB, GIB), "1m", RUNNING, """
            The largest filter as it is sent, and with it the longest value that one asserts."""));
    public static final Key<Integer> MAX_REQUESTED_ATTRIBUTES = add(Key.one("maxRequestedAttributes",
            ValueType.number(1, 1_000_000), "10000", RUNNING, """
            The most attributes that a search, or a control, names to be returned."""));
    public static final Key<Integer> MAX_SORT_KEYS = add(Key.one("maxSortKeys",
            ValueType.number(1, 100), "16", RUNNING, """
            The most keys by which a search may be sorted."""));
    public static final Key<Integer> MAX_LIST_VIEW_ENTRIES = add(Key.one("maxListViewEntries",
            ValueType.number(1, 10_000_000), "100000", RUNNING, """
            The most entries that one virtual list view returns."""));
    public static final Key<Long> WRITE_HIGH_WATER_BYTES = add(Key.one("writeHighWaterBytes",
            ValueType.bytes(KIB, GIB), "256k", CONNECTIONS, """
            A search stops reading entries while a client has this many bytes unread, and goes on when three quarters of
            them are gone."""));
    public static final Key<Integer> TRANSACTION_UPDATES = add(Key.one("transactionUpdates",
            ValueType.number(1, 100_000), "1000", CONNECTIONS, """
            Transactions (RFC 5805): the most updates that wait in all open transactions of one connection. A transaction
            that goes beyond one of the three bounds is given up, and the client is told by a notice. While a transaction is
            being made, other updates wait."""));
    public static final Key<Long> TRANSACTION_BYTES = add(Key.one("transactionBytes",
            ValueType.bytes(0, GIB), "16m", CONNECTIONS, """
            Transactions: the most bytes of requests that wait in all open transactions of one connection."""));
    public static final Key<Integer> TRANSACTION_SECONDS = add(Key.one("transactionSeconds",
            ValueType.number(1, 86_400), "60", CONNECTIONS, """
            Transactions: how long one may stay open, in seconds."""));
    public static final Key<List<String>> SUPERIOR_REFERRAL = add(Key.several("superiorReferral",
            ValueType.text("ldap://HOST[:PORT] or ldaps://HOST[:PORT]", "ldaps?://[^/?\\s]+(/[^\\s]*)?"), List.of(), RUNNING, """
            The servers that know the names under no suffix of this one, as LDAP URLs; clients that ask for such a name get
            a referral to them. Several lines name servers of which any can be asked. Without one the answer is
            noSuchObject.""",
            "ldap://directory.example.org"));
    public static final Key<Integer> WORKER_THREADS = add(Key.one("workerThreads",
            ValueType.number(0, 1024), "0", Effect.DIVIDED, """
            Threads for what takes longer than a moment, such as large searches; 0 = two for each processor."""));
    public static final Key<Integer> WORKER_QUEUE = add(Key.one("workerQueue",
            ValueType.number(1, 10_000_000), "10000", Effect.DIVIDED, """
            From how many pieces of work on that wait for these threads each connection may have no more than one of them; another
            request is answered with busy."""));
    public static final Key<Integer> WARM_UP_SECONDS = add(Key.one("warmUpSeconds",
            ValueType.number(0, 600), "5", Effect.STARTS, """
            The longest that a start may take, before it listens, to search its own entries as clients would, so that Java has
            compiled what answers them; a second or two is enough on most machines. 0 = it does not, and the first thousand searches
            take twenty times as long as later ones. A folder with fewer than 100 entries does without. See docs/install.md."""));
    public static final Key<List<String>> SASL_MECHANISM = add(Key.several("saslMechanism",
            ValueType.text("the name of a SASL mechanism", "[A-Z0-9_-]+"), List.of("EXTERNAL", "GSSAPI", "GSS-SPNEGO",
            "SCRAM-SHA-512-PLUS", "SCRAM-SHA-256-PLUS", "SCRAM-SHA-512", "SCRAM-SHA-256", "PLAIN"), RUNNING, """
            The SASL mechanisms that are offered, each where the connection allows for it (docs/authentication.md);
            ANONYMOUS has to be named to be offered."""));
    public static final Key<String> KERBEROS_KEYTAB_FILE = add(file("kerberosKeytabFile", RUNNING, """
            The keytab with the key of kerberosPrincipal, by which clients log in with Kerberos (GSSAPI, GSS-SPNEGO;
            docs/kerberos.md). When it changes, new logins are checked against what is new, without a restart.""",
            "/etc/alder/ldap.keytab"));
    public static final Key<String> KERBEROS_PRINCIPAL = add(Key.optional("kerberosPrincipal",
            ValueType.text("a service principal, such as ldap/ldap.example.com@EXAMPLE.COM", "[^/@\\s]+/[^/@\\s]+@[^/@\\s]+"),
            RUNNING, """
            What the server is called in Kerberos: ldap, the host name that clients connect to, and the realm.""",
            "ldap/ldap.example.com@EXAMPLE.COM"));
    public static final Key<List<String>> IDENTITY_RULE = add(Key.several("identityRule",
            ValueType.text("a regular expression, blanks, and a DN or an LDAP URL", "\\S+\\s+\\S.*"), List.of(), RUNNING, """
            Whom a name means that SASL brings: a pattern of u:NAME, of subject:DN and sha256:FINGERPRINT of a certificate, or of
            unix:USER and dn:gidNumber=N+uidNumber=N,cn=peercred,cn=external,cn=auth on a unix-domain socket, or of
            kerberos:PRINCIPAL; and a DN or ldap:///BASE??SCOPE?FILTER with $1 to $9 for the pattern's groups. The first rule that
            matches decides; without one a name, also a plain one in the server's realm of Kerberos, is a uid, and a certificate's
            subject the name of an entry.""",
            "u:([^@]+)@example\\.com uid=$1,ou=people,dc=example,dc=com", "unix:root cn=Directory Manager",
            "kerberos:([^/@]+)/admin@EXAMPLE\\.COM uid=$1,ou=administrators,dc=example,dc=com"));
    public static final Key<SocketAdministrators> SOCKET_ADMINISTRATORS = add(Key.one("socketAdministrators",
            ValueType.choice(SocketAdministrators.class), "owners", Effect.TRUST, """
            Who is the administrator by SASL EXTERNAL on a unix-domain socket without a password: owners = root and the user that
            the server runs as, who can read and change the data folder in any case; none = those alone whom an identityRule
            names. What an identityRule says of them goes before. With administratorPassword: none nobody is."""));
    public static final Key<NewPasswordScheme> PASSWORD_SCHEME = add(Key.one("passwordScheme",
            ValueType.choice(NewPasswordScheme.class), "argon2id", RUNNING, """
            What new passwords are stored in (docs/passwords.md). bcrypt has cost 12; scramSha256 and scramSha512 are what
            logins by SCRAM need; ssha512 is fast, also for those who guess; keep stores clear text as it comes."""));
    public static final Key<NewPasswordScheme> IMPORT_PASSWORD_SCHEME = add(Key.one("importPasswordScheme",
            ValueType.choice(NewPasswordScheme.class), "ssha512", RUNNING, """
            What clear text is stored in that import loads: something fast, since a load may bring millions. The next login
            stores it in passwordScheme."""));
    public static final Key<Boolean> PASSWORD_UPGRADE = add(Key.one("passwordUpgrade",
            ValueType.flag(), "true", RUNNING, """
            Whether a hash that is weaker than those of passwordScheme is replaced when its user has logged in."""));
    public static final Key<Long> ARGON2_BYTES = add(Key.one("argon2Bytes",
            ValueType.bytes(8 * KIB, GIB), "19m", Effect.DIVIDED, """
            The memory that a hash of argon2id takes; at most a quarter of the heap. The verb calibrate finds what suits a
            machine."""));
    public static final Key<Integer> ARGON2_PASSES = add(Key.one("argon2Passes",
            ValueType.number(1, 1000), "2", RUNNING, """
            How often a hash of argon2id goes over its memory."""));
    public static final Key<Integer> PBKDF2_ROUNDS = add(Key.one("pbkdf2Rounds",
            ValueType.number(4096, 10_000_000), "210000", RUNNING, """
            Rounds of pbkdf2Sha512, and up to 65536 of them of scramSha256 and scramSha512, because ldapsearch refuses more."""));
    public static final Key<ReadyHashes> READY_HASHES = add(Key.one("readyHashes",
            ValueType.choice(ReadyHashes.class), "administrator", RUNNING, """
            Who may store a password that is hashed already, or a lock such as *, since nobody can tell what it is: none,
            administrator or all. Others get constraintViolation. Import takes them in any case."""));
    public static final Key<PasswordPolicyUse> PASSWORD_POLICY = add(Key.one("passwordPolicy",
            ValueType.choice(PasswordPolicyUse.class), "on", RUNNING, """
            Whether there are password policies: on = that of the keys below holds for all users for whom no entry of class
            pwdPolicy says something else; none = there are none, and such entries mean nothing. See docs/password-policy.md."""));
    public static final Key<String> PASSWORD_POLICY_ENTRY = add(Key.optional("passwordPolicyEntry",
            ValueType.text("a DN", ".+"), RUNNING, """
            An entry of class pwdPolicy that says what holds instead of the keys below, as ppolicy_default of OpenLDAP.""",
            "cn=default,ou=policies,dc=example,dc=com"));
    public static final Key<Integer> PASSWORD_POLICY_MIN_LENGTH = add(Key.one("passwordPolicyMinLength",
            ValueType.number(0, 1024), "8", RUNNING, """
            The fewest characters of a password."""));
    public static final Key<Integer> PASSWORD_POLICY_MAX_LENGTH = add(Key.one("passwordPolicyMaxLength",
            ValueType.number(0, 1024), "0", RUNNING, """
            The most characters of a password; 0 = no limit but that of 1024 bytes."""));
    public static final Key<Integer> PASSWORD_POLICY_QUALITY = add(Key.one("passwordPolicyQuality",
            ValueType.number(0, 2), "1", RUNNING, """
            Whether new passwords are checked: 0 = not at all; 1 = those in clear text, hashes are taken as they are; 2 = all, and
            hashes are refused."""));
    public static final Key<Integer> PASSWORD_POLICY_MIN_CLASSES = add(Key.one("passwordPolicyMinClasses",
            ValueType.number(0, 4), "0", RUNNING, """
            How many kinds of characters a password has to have where passwords are checked, also under a policy entry: small
            letters, capital letters, digits, and others."""));
    public static final Key<String> PASSWORD_POLICY_DICTIONARY_FILE = add(file("passwordPolicyDictionaryFile", RUNNING, """
            Words that are no passwords where passwords are checked, beside some hundred that Alder knows: UTF-8, one word a line,
            at most 1,000,000. It is read at the start, and when the configuration changes.""", "/usr/share/dict/words"));
    public static final Key<Boolean> PASSWORD_POLICY_OWN_NAMES = add(Key.one("passwordPolicyOwnNames",
            ValueType.flag(), "true", RUNNING, """
            Whether passwords that have the user's uid, names or mail address in them are refused where passwords are checked."""));
    public static final Key<Integer> PASSWORD_POLICY_HISTORY = add(Key.one("passwordPolicyHistory",
            ValueType.number(0, 1000), "0", RUNNING, """
            How many old passwords of a user may not be used again."""));
    public static final Key<Integer> PASSWORD_POLICY_MIN_AGE_SECONDS = add(seconds("passwordPolicyMinAgeSeconds", "0", """
            How long a user has to keep a password, in seconds."""));
    public static final Key<Boolean> PASSWORD_POLICY_MUST_CHANGE = add(Key.one("passwordPolicyMustChange",
            ValueType.flag(), "false", RUNNING, """
            Whether users have to change a password that an administrator has set, before they may do anything else."""));
    public static final Key<Boolean> PASSWORD_POLICY_ALLOW_USER_CHANGE = add(Key.one("passwordPolicyAllowUserChange",
            ValueType.flag(), "true", RUNNING, """
            Whether users may change their own passwords."""));
    public static final Key<Boolean> PASSWORD_POLICY_SAFE_MODIFY = add(Key.one("passwordPolicySafeModify",
            ValueType.flag(), "false", RUNNING, """
            Whether users have to give the old password with the new one."""));
    public static final Key<Integer> PASSWORD_POLICY_MAX_AGE_SECONDS = add(seconds("passwordPolicyMaxAgeSeconds", "0", """
            How long a password lasts, in seconds; 0 = for ever. After it there are grace logins, or none."""));
    public static final Key<Integer> PASSWORD_POLICY_WARNING_SECONDS = add(seconds("passwordPolicyWarningSeconds", "0", """
            How long before its password expires a client is told so at each login, in seconds."""));
    public static final Key<Integer> PASSWORD_POLICY_GRACE_LOGINS = add(Key.one("passwordPolicyGraceLogins",
            ValueType.number(0, 1000), "0", RUNNING, """
            How often a user may log in with an expired password, to change it."""));
    public static final Key<Integer> PASSWORD_POLICY_GRACE_SECONDS = add(seconds("passwordPolicyGraceSeconds", "0", """
            How long after the password has expired there are grace logins, in seconds; 0 = for ever."""));
    public static final Key<Integer> PASSWORD_POLICY_MAX_IDLE_SECONDS = add(seconds("passwordPolicyMaxIdleSeconds", "0", """
            An account in which nobody has logged in for so long is locked, in seconds; 0 = never."""));
    public static final Key<Integer> PASSWORD_POLICY_MAX_FAILURES = add(Key.one("passwordPolicyMaxFailures",
            ValueType.number(0, 1000), "10", RUNNING, """
            After so many wrong passwords an account is locked; 0 = never."""));
    public static final Key<Integer> PASSWORD_POLICY_FAILURE_SECONDS = add(seconds("passwordPolicyFailureSeconds", "86400", """
            How long a wrong password counts, unless the right one comes, in seconds; 0 = for ever."""));
    public static final Key<Integer> PASSWORD_POLICY_LOCKOUT_SECONDS = add(seconds("passwordPolicyLockoutSeconds", "60", """
            How long an account is locked after too many wrong passwords, in seconds; 0 = until an administrator unlocks it. It is
            twice as long after each wrong password that follows."""));
    public static final Key<Integer> PASSWORD_POLICY_MOST_LOCKOUT_SECONDS = add(seconds("passwordPolicyMostLockoutSeconds", "3600",
            """
            The longest time that it gets, in seconds; no more than passwordPolicyLockoutSeconds = it does not get longer."""));
    public static final Key<Integer> PASSWORD_POLICY_MIN_DELAY_SECONDS = add(seconds("passwordPolicyMinDelaySeconds", "0", """
            For so long after a wrong password no other one is taken, in seconds, and for twice as long after each more; 0 = there
            is no delay."""));
    public static final Key<Integer> PASSWORD_POLICY_MAX_DELAY_SECONDS = add(seconds("passwordPolicyMaxDelaySeconds", "0", """
            The longest time that it gets, in seconds."""));
    public static final Key<Boolean> PASSWORD_POLICY_TELL_LOCKS = add(Key.one("passwordPolicyTellLocks",
            ValueType.flag(), "false", RUNNING, """
            Whether a client that asks for it (the password policy control) is told that an account is locked. It tells those who
            guess, too, which names there are."""));
    public static final Key<Integer> LAST_LOGIN_SECONDS = add(seconds("lastLoginSeconds", "3600", """
            The time of the last login is noted in the user's entry (pwdLastSuccess) if the time that stands there is older than
            this, in seconds; 0 = it is not noted."""));
    public static final Key<Integer> PASSWORD_THREADS = add(Key.one("passwordThreads",
            ValueType.number(0, 1024), "0", Effect.DIVIDED, """
            Threads that hash passwords, to check or to store them, and do nothing else, so that a storm of logins delays
            logins only; 0 = one for every two processors."""));
    public static final Key<Integer> PASSWORD_QUEUE = add(Key.one("passwordQueue",
            ValueType.number(2, 1_000_000), "1000", Effect.DIVIDED, """
            The most requests whose passwords wait for these threads, half of them at most from one address; one more is
            answered with busy. Addresses take turns, and so do the users that one address asks for."""));
    public static final Key<Integer> MAX_CONNECTIONS = add(Key.one("maxConnections",
            ValueType.number(0, 1_000_000), "0", RUNNING, """
            The most connections at a time. A client that is one too many is told so (busy) and disconnected. 0 = all that
            the process can afford: its file descriptors but for an eighth and 256, which the store needs, and one for each
            48 KiB of heap."""));
    public static final Key<Integer> MAX_CONNECTIONS_PER_ADDRESS = add(Key.one("maxConnectionsPerAddress",
            ValueType.number(0, 1_000_000), "0", RUNNING, """
            The most connections of one address at a time. 0 = half of maxConnections."""));
    public static final Key<Integer> MAX_CONNECTIONS_PER_IDENTITY = add(Key.one("maxConnectionsPerIdentity",
            ValueType.number(0, 1_000_000), "0", RUNNING, """
            The most connections that have bound as one identity at a time, administrators apart; one more bind is answered with
            busy. 0 = half of maxConnections."""));
    public static final Key<Integer> MAX_CONNECTIONS_BEFORE_BIND = add(Key.one("maxConnectionsBeforeBind",
            ValueType.number(0, 1_000_000), "0", RUNNING, """
            The most connections that have not bound. When there is one more, the oldest of them gives way: it is told so (busy)
            and disconnected. 0 = half of maxConnections."""));
    public static final Key<Integer> MAX_OPERATIONS_PER_CONNECTION = add(Key.one("maxOperationsPerConnection",
            ValueType.number(1, 100_000), "256", RUNNING, """
            The most requests of one connection that are under way at a time; no more are read from it until one has ended."""));
    public static final Key<Integer> MAX_FOLLOWED_SEARCHES = add(Key.one("maxFollowedSearches",
            ValueType.number(0, 1_000_000), "1000", RUNNING, """
            The most searches that are told changes, as those of replicas are: each looks at every update. One more ends with
            adminLimitExceeded."""));
    public static final Key<Integer> MAX_FOLLOWED_SEARCHES_PER_IDENTITY = add(Key.one("maxFollowedSearchesPerIdentity",
            ValueType.number(0, 1_000_000), "250", RUNNING, """
            The most of these of one identity; administrators may have all that are left."""));
    public static final Key<Integer> ANSWER_TIMEOUT_SECONDS = add(Key.one("answerTimeoutSeconds",
            ValueType.number(0, 86_400), "120", CONNECTIONS, """
            A client that in this time takes neither all nor 16 KiB of the answers that wait for it is disconnected, in seconds;
            0 = never."""));
    public static final Key<Integer> STOP_TIMEOUT_SECONDS = add(Key.one("stopTimeoutSeconds",
            ValueType.number(0, 3600), "10", RUNNING, """
            When the server is stopped: how long it lets operations end that have begun, in seconds. It accepts no connections and
            begins no requests meanwhile, and disconnects who waits for nothing; then all."""));
    public static final Key<Integer> FIRST_MESSAGE_TIMEOUT_SECONDS = add(Key.one("firstMessageTimeoutSeconds",
            ValueType.number(0, 86_400), "30", CONNECTIONS, """
            How long a client may take for its first whole request, in seconds, before it is disconnected
            (timeLimitExceeded); 0 = for ever."""));
    public static final Key<Integer> MESSAGE_TIMEOUT_SECONDS = add(Key.one("messageTimeoutSeconds",
            ValueType.number(0, 86_400), "120", CONNECTIONS, """
            How long a client may take for all of a request that has begun, in seconds; 0 = for ever."""));
    public static final Key<Integer> IDLE_TIMEOUT_SECONDS_BEFORE_BIND = add(Key.one("idleTimeoutSecondsBeforeBind",
            ValueType.number(0, 31_536_000), "300", CONNECTIONS, """
            How long a client that has not bound may be without a request while nothing is being done for it, in seconds;
            0 = for ever."""));
    public static final Key<Integer> IDLE_TIMEOUT_SECONDS = add(Key.one("idleTimeoutSeconds",
            ValueType.number(0, 31_536_000), "0", CONNECTIONS, """
            The same for a client that has bound, in seconds; 0 = for ever."""));
    public static final Key<Integer> BIND_TIMEOUT_SECONDS = add(Key.one("bindTimeoutSeconds",
            ValueType.number(0, 31_536_000), "0", CONNECTIONS, """
            How long a connection may go on without a bind, in seconds, whatever it asks for: then it is told so (timeLimitExceeded)
            and disconnected. 0 = for ever, which suits servers that anonymous clients read."""));
    public static final Key<Long> UNFINISHED_BYTES = add(Key.one("unfinishedBytes",
            ValueType.bytes(0, Long.MAX_VALUE), "8%", Effect.DIVIDED, """
            Heap that all clients together may have in requests of which not all has come; a client that needs more then is
            disconnected (busy). With operationBytes at most half of the heap; what is more than a quarter, partitions lack."""));
    public static final Key<Long> OPERATION_BYTES = add(Key.one("operationBytes",
            ValueType.bytes(0, Long.MAX_VALUE), "15%", Effect.DIVIDED, """
            Heap for all else that is held for clients: requests that wait, answers that are not read, entries that are
            sorted or gathered. An operation that needs more then is answered with busy, or with adminLimitExceeded if it
            needs more than there ever is. From half of it on, clients get no more than 4 KiB ahead of what they read."""));

    public static final Key<List<String>> SCHEMA_FILE = add(Key.several("schemaFile", ValueType.path(), List.of(), Effect.SCHEMA, """
            Schema files that are read beside those of conf/schema of the installation, after them and in this order, in either of
            the forms that docs/schema.md describes. They are found from the folder of this configuration.""",
            "schema/acme.schema"));
    public static final Key<List<LogLevelLine>> LOG_LEVEL = add(Key.several("logLevel",
            new ValueType<>(LogLevelLine.FORM, LogLevelLine::parse), List.of(), RUNNING, """
            How much the server says of itself on standard error: of everything, or of what stands behind the level alone, a package
            or a class of Alder as the log names them. Without it, it is info, or what -Dalder.log.level in ALDER_JAVA_OPTS says.""",
            "debug", "debug org.alder.server.wire"));
    public static final Key<AuditLevel> AUDIT = add(Key.one("audit",
            ValueType.choice(AuditLevel.class), "security", RUNNING, """
            What the audit log is told (docs/security.md): off = nothing, there is none; security = logins and failed ones, what
            was denied, what password policies do, and how the server is set up; writes = updates too; all = every request."""));
    public static final Key<String> AUDIT_FILE = add(file("auditFile", Effect.AUDIT, """
            The file of the audit log, of which each line is an object of JSON. Without one it is DATA/audit/audit.jsonl. Older
            files stand beside it, audit-1.jsonl and so on.""", "/var/log/alder/audit.jsonl"));
    public static final Key<Long> AUDIT_FILE_BYTES = add(Key.one("auditFileBytes",
            ValueType.bytes(64 * KIB, 1024 * GIB), "64m", Effect.AUDIT, """
            The size at which the audit log goes on in a new file."""));
    public static final Key<Integer> AUDIT_FILE_HOURS = add(Key.one("auditFileHours",
            ValueType.number(0, 87_600), "24", Effect.AUDIT, """
            The age at which the audit log goes on in a new file, in hours; 0 = never."""));
    public static final Key<Integer> AUDIT_FILES_KEPT = add(Key.one("auditFilesKept",
            ValueType.number(0, 1_000_000), "30", Effect.AUDIT, """
            How many older files of the audit log stay; 0 = all of them."""));
    public static final Key<AuditWhenFull> AUDIT_WHEN_FULL = add(Key.one("auditWhenFull",
            ValueType.choice(AuditWhenFull.class), "drop", Effect.AUDIT, """
            What happens while the audit log cannot be written fast enough, or at all, as on a full disk, and 8 MiB of events
            wait: drop = further ones are lost, and counted in cn=Monitor, the log and the audit log; block = requests that are
            to be audited wait, and with them the server."""));

    public static final Key<AccessLogSettings.Told> ACCESS_LOG = add(Key.one("accessLog",
            ValueType.choice(AccessLogSettings.Told.class), "off", RUNNING, """
            Which operations are written to the access log, each with what it cost (docs/access-log.md): off = none, there is no
            such log; slow = those that took slowMillis, and searches that lacked an index; all = every one. It never makes
            operations wait: lines for which there is no room are lost, and counted in cn=Monitor."""));
    public static final Key<String> ACCESS_LOG_FILE = add(file("accessLogFile", RUNNING, """
            The file of the access log, of which each line is an object of JSON. Without one it is DATA/access/access.jsonl. Older
            files stand beside it, access-1.jsonl and so on.""", "/var/log/alder/access.jsonl"));
    public static final Key<Long> ACCESS_LOG_BYTES = add(Key.one("accessLogBytes",
            ValueType.bytes(512 * KIB, 1024 * GIB), "512m", RUNNING, """
            What the access log may take of the disk, in all its files: it goes on in a new one at an eighth of this, and the
            oldest of eight goes."""));
    public static final Key<ShownValues> ACCESS_LOG_VALUES = add(Key.one("accessLogValues",
            ValueType.choice(ShownValues.class), "cut", RUNNING, """
            What the access log shows of values in filters, compares and updates: none = none of them; cut = the first 32 bytes of
            each; all = all, as far as a line has room. Passwords and keys are never shown, names of entries are."""));
    public static final Key<Integer> SLOW_MILLIS = add(Key.one("slowMillis",
            ValueType.number(1, 3_600_000), "500", RUNNING, """
            An operation that takes at least so many milliseconds, from when it has been read until it is answered, counts as slow."""));

    public static final Key<HttpListenerLine> HTTP_LISTENER = add(Key.optional("httpListener",
            new ValueType<>(HttpListenerLine.FORM, HttpListenerLine::parse), Effect.TLS, """
            Where programs that watch the server ask it by HTTP, without a login: /metrics, /healthz and /readyz (docs/metrics.md).
            Without it there is no such port. https has the certificates of LDAP, also new ones without a restart. Without a port it
            is 9389; 0 takes a free one.""", "http://127.0.0.1:9389"));
    public static final Key<Boolean> HTTP_CONSOLE = add(Key.one("httpConsole", ValueType.flag(), "false", Effect.TLS, """
            Whether there is a console for browsers at /console of httpListener (docs/console.md). Who logs in there binds by LDAP, so
            httpListener has to be https, or at an address of this machine alone, such as 127.0.0.1."""));

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
