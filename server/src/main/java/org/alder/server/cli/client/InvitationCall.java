package org.alder.server.cli.client;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.alder.partition.ber.BerException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.store.ClusterService;
import org.alder.server.cli.option.WrongCallException;
import org.alder.server.cli.output.TerminalText;
import org.alder.server.client.LdapAnswer;
import org.alder.server.client.LdapCall;
import org.alder.server.client.LdapMessage;
import org.alder.server.client.LdapTransport;
import org.alder.server.extended.Invitations;
import org.alder.server.protocol.StartTls;

/**
 * Asks a member of a cluster for an invitation, on a connection of its own for each question, without a bind, and in clear where nobody asks for TLS: what comes proves itself.
 * Stateless.
 */
public final class InvitationCall implements ClusterService.Asking {
    /** Of an answer, from whoever that is. */
    private static final int MOST_BYTES = 512 << 10;

    private static final Pattern ADDRESS = Pattern.compile("(ldaps?://)?[!-~&&[^/]]{1,255}:[0-9]{1,5}");

    private final String url;
    private final Path authority;

    /**
     * @param address   HOST:PORT of a listener {@code ldap}, or behind ldap:// or ldaps://
     * @param authority a file with the certificates, PEM, that are trusted, and then TLS is started where the address is not that of ldaps; null for those that Java trusts
     */
    public InvitationCall(String address, Path authority) throws WrongCallException {
        Matcher found = ADDRESS.matcher(address);
        if (!found.matches()) {
            throw new WrongCallException("--join " + address + ": expected HOST:PORT, where any member answers LDAP, or ldaps://HOST:PORT");
        }
        this.url = found.group(1) == null ? "ldap://" + address : address;
        this.authority = authority;
    }

    @Override
    public byte[] ask(byte[] request) throws IOException {
        try (LdapTransport transport = LdapTransport.open(url, authority)) {
            if (authority != null && transport.wantsTls()) {
                startTls(transport);
            }
            LdapAnswer.Result result = ask(transport, 2, Invitations.OID, request);
            if (result.is(ResultCode.PROTOCOL_ERROR)) {
                throw new IOException("the server at " + url + " is no member of a cluster, or of an older build: " + TerminalText.shown(result.message()));
            } else if (!result.is(ResultCode.SUCCESS)) {
                throw new IOException("the server at " + url + " has no invitation for this machine: " + result.name() + ", " + TerminalText.shown(result.message()));
            }
            return result.value();
        } catch (BerException e) {
            throw new IOException("what answers at " + url + " is no LDAP: " + TerminalText.shown(e.getMessage()), e);
        } catch (SocketTimeoutException e) {
            throw new IOException("the server at " + url + " has not answered for " + LdapTransport.LIMIT_SECONDS + " seconds", e);
        } catch (LdapTransport.Refusal e) {
            throw e.kind() == LdapTransport.Refusal.Kind.TLS ? new IOException(url + ": " + e.getMessage() + ": name the file with the certificate of its authority, or its own, with --join-ca, and the"
                    + " server as its certificate does", e) : e;
        }
    }

    private void startTls(LdapTransport transport) throws IOException, BerException {
        LdapAnswer.Result result = ask(transport, 1, StartTls.OID, null);
        if (!result.is(ResultCode.SUCCESS)) {
            throw new IOException("the server at " + url + " starts no TLS: " + result.name() + ", " + TerminalText.shown(result.message()));
        }
        transport.startTls();
    }

    private LdapAnswer.Result ask(LdapTransport transport, int id, String operation, byte[] value) throws IOException, BerException {
        transport.send(LdapCall.extended(operation, value).encode(id));
        if (LdapMessage.decode(transport.message(MOST_BYTES)).answer() instanceof LdapAnswer.Result result) {
            return result;
        }
        throw new IOException("the server at " + url + " has answered something else than a result");
    }
}
