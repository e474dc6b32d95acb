package org.alder.server.cli.client;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;

import com.unboundid.asn1.ASN1StreamReader;
import com.unboundid.ldap.protocol.BindRequestProtocolOp;
import com.unboundid.ldap.protocol.BindResponseProtocolOp;
import com.unboundid.ldap.protocol.ExtendedRequestProtocolOp;
import com.unboundid.ldap.protocol.LDAPMessage;
import com.unboundid.ldap.protocol.ProtocolOp;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.alder.partition.testing.Await;
import org.alder.server.cli.ServerProcess;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The socket in the data folder, of a server that is started as a user starts it. */
public class OwnSocketTest {
    private static final String WHO_AM_I = "1.3.6.1.4.1.4203.1.11.3";

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private static LDAPMessage ask(SocketChannel channel, ASN1StreamReader answers, ProtocolOp request) throws Exception {
        channel.write(ByteBuffer.wrap(new LDAPMessage(1, request).encode().encode()));
        return LDAPMessage.readFrom(answers, true);
    }

    @Test(timeout = Await.MILLIS)
    public void itsOwnUserIsTheAdministrator() throws Exception {
        Path data = folder.getRoot().toPath().resolve("d");
        Path socket = data.resolve("ldapi");
        for (boolean killed : new boolean[] {true, false}) {
            try (ServerProcess server = ServerProcess.start(data)) {
                assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)));
                try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
                    ASN1StreamReader answers = new ASN1StreamReader(Channels.newInputStream(channel));
                    BindResponseProtocolOp login = ask(channel, answers, new BindRequestProtocolOp("", "EXTERNAL", null))
                            .getBindResponseProtocolOp();
                    assertEquals(login.toString(), 0, login.getResultCode());
                    assertEquals("dn:" + ServerProcess.ADMIN, ask(channel, answers, new ExtendedRequestProtocolOp(WHO_AM_I, null))
                            .getExtendedResponseProtocolOp().getResponseValue().stringValue());
                }
                if (killed) {
                    // What it leaves is in nobody's way.
                    server.kill();
                }
            }
        }
        assertFalse(Files.exists(socket));
    }
}
