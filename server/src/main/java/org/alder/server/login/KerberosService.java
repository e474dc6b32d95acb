package org.alder.server.login;

import java.nio.file.Path;
import java.security.PrivilegedActionException;
import java.security.PrivilegedExceptionAction;
import java.util.Set;
import javax.security.auth.Subject;
import javax.security.auth.kerberos.KerberosPrincipal;
import javax.security.auth.kerberos.KeyTab;
import org.ietf.jgss.GSSContext;
import org.ietf.jgss.GSSCredential;
import org.ietf.jgss.GSSException;
import org.ietf.jgss.GSSManager;
import org.ietf.jgss.Oid;

/**
 * The server as a service of Kerberos: what its keytab proves it to be. A keytab that changes is read anew, without a restart. No
 * KDC is asked for anything, and neither krb5.conf nor a property of the process is needed. Thread safe.
 */
public final class KerberosService {
    private static final String KERBEROS = "1.2.840.113554.1.2.2";
    /** RFC 4178: negotiates the mechanism; Kerberos is the only one there is. */
    private static final String SPNEGO = "1.3.6.1.5.5.2";

    private final String realm;
    private final GSSManager manager = GSSManager.getInstance();
    private final GSSCredential kerberos;
    private final GSSCredential spnego;

    private KerberosService(KerberosPrincipal principal, Subject subject) throws GSSException {
        this.realm = principal.getRealm();
        this.kerberos = credential(subject, KERBEROS);
        this.spnego = credential(subject, SPNEGO);
    }

    /**
     * @param principal such as {@code ldap/ldap.example.com@EXAMPLE.COM}
     * @throws IllegalArgumentException if it is no principal, or the keytab has no key of it; the message says so
     */
    public static KerberosService open(Path keytab, String principal) {
        KerberosPrincipal name = new KerberosPrincipal(principal);
        KeyTab keys = KeyTab.getInstance(name, keytab.toFile());
        if (!keys.exists()) {
            throw new IllegalArgumentException(keytab + " is not there, or cannot be read");
        }
        if (keys.getKeys(name).length == 0) {
            throw new IllegalArgumentException(keytab + " is no keytab with a key of " + principal + " that Java can use; klist -ket "
                    + keytab + " shows what is in it");
        }
        try {
            return new KerberosService(name, new Subject(true, Set.of(name), Set.of(), Set.of(keys)));
        } catch (GSSException e) {
            throw new IllegalArgumentException(keytab + " cannot be used for " + principal + ": " + e.getMessage(), e);
        }
    }

    /** The JDK finds keys by the subject in whose name it is called; it is done here once. */
    private GSSCredential credential(Subject subject, String mechanism) throws GSSException {
        try {
            return Subject.doAs(subject, (PrivilegedExceptionAction<GSSCredential>) () -> manager.createCredential(null,
                    GSSCredential.INDEFINITE_LIFETIME, new Oid(mechanism), GSSCredential.ACCEPT_ONLY));
        } catch (PrivilegedActionException e) {
            throw (GSSException) e.getException();
        }
    }

    /** That of the service's own principal. */
    String realm() {
        return realm;
    }

    /**
     * The server's end of one authentication.
     *
     * @param negotiated whether SPNEGO (RFC 4178) goes around it
     */
    GSSContext accept(boolean negotiated) throws GSSException {
        return manager.createContext(negotiated ? spnego : kerberos);
    }
}
