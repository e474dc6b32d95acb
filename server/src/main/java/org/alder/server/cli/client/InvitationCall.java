package org.alder.server.cli.client;

import java.io.IOException;
import java.net.SocketTimeoutException;
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

/** Asks a member of a cluster for an invitation, on a connection of its own for each question, without a bind and in clear: what comes proves itself. Stateless. */
public final class InvitationCall implements ClusterService.Asking {
    /** Of an answer, from whoever that is. */
    private static final int MOST_BYTES = 512 << 10;

    private final String url;

    /** @param address HOST:PORT, of a listener {@code ldap} */
    public InvitationCall(String address) throws WrongCallException {
        if (!address.matches("[!-~&&[^/]]{1,255}:[0-9]{1,5}")) {
            throw new WrongCallException("--join " + address + ": expected HOST:PORT, where any member answers LDAP");
        }
        this.url = "ldap://" + address;
    }

    @Override
    public byte[] ask(byte[] request) throws IOException {
        try (LdapTransport transport = LdapTransport.open(url, null)) {
            transport.send(LdapCall.extended(Invitations.OID, request).encode(1));
            LdapMessage message = LdapMessage.decode(transport.message(MOST_BYTES));
            if (!(message.answer() instanceof LdapAnswer.Result result)) {
                throw new IOException("the server at " + url + " has answered something else than a result");
            } else if (result.is(ResultCode.PROTOCOL_ERROR)) {
                throw new IOException("the server at " + url + " is no member of a cluster, or of an older build: " + TerminalText.shown(result.message()));
            } else if (!result.is(ResultCode.SUCCESS)) {
                throw new IOException("the server at " + url + " has no invitation for this machine: " + result.name() + ", " + TerminalText.shown(result.message()));
            }
            return result.value();
        } catch (BerException e) {
            throw new IOException("what answers at " + url + " is no LDAP: " + TerminalText.shown(e.getMessage()), e);
        } catch (SocketTimeoutException e) {
            throw new IOException("the server at " + url + " has not answered for " + LdapTransport.LIMIT_SECONDS + " seconds", e);
        }
    }
}
