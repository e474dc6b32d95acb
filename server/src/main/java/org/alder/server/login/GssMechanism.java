package org.alder.server.login;

import org.alder.server.directory.OperationContext;
import org.alder.server.wire.Peer;

/**
 * Kerberos: GSSAPI (RFC 4752), and GSS-SPNEGO as Active Directory ([MS-ADTS] 5.1.1.1.2) and Cyrus SASL speak it.
 *
 * @param kerberos null if the server is no service of Kerberos
 * @param negotiated whether it is GSS-SPNEGO
 */
record GssMechanism(Logins logins, KerberosService kerberos, boolean negotiated) implements SaslMechanism {
    @Override
    public String name() {
        return negotiated ? "GSS-SPNEGO" : "GSSAPI";
    }

    @Override
    public boolean isAvailable(Peer peer) {
        return kerberos != null;
    }

    @Override
    public SaslNegotiation begin(OperationContext context, Peer peer) {
        return new GssNegotiation(logins, context, peer, kerberos, negotiated);
    }
}
