package org.alder.server;

import com.unboundid.asn1.ASN1StreamReader;
import com.unboundid.ldap.protocol.BindRequestProtocolOp;
import com.unboundid.ldap.protocol.LDAPMessage;
import com.unboundid.ldap.protocol.ProtocolOp;
import com.unboundid.ldap.sdk.Control;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import org.alder.partition.testing.Await;

/** A client that sends and reads single messages, or anything else, when it wants to. */
final class RawClient implements AutoCloseable {
    private final Socket socket = new Socket();
    private final ASN1StreamReader reader;

    RawClient(int port, int receiveBufferBytes) throws IOException {
        this(port, receiveBufferBytes, null);
    }

    /** @param address of this machine, that the client has; null for any */
    RawClient(int port, int receiveBufferBytes, String address) throws IOException {
        socket.setReceiveBufferSize(receiveBufferBytes);
        if (address != null) {
            socket.bind(new InetSocketAddress(address, 0));
        }
        socket.setSoTimeout(Await.MILLIS);
        socket.connect(new InetSocketAddress("127.0.0.1", port));
        socket.setTcpNoDelay(true);
        reader = new ASN1StreamReader(socket.getInputStream());
    }

    RawClient(int port) throws IOException {
        this(port, 65536);
    }

    static byte[] bytes(int id, ProtocolOp operation, Control... controls) {
        return new LDAPMessage(id, operation, controls).encode().encode();
    }

    /** Sends all messages in one piece. */
    void send(byte[]... messages) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] message : messages) {
            all.write(message);
        }
        socket.getOutputStream().write(all.toByteArray());
    }

    void bindAsAdmin() throws Exception {
        send(bytes(1000, new BindRequestProtocolOp(TestServer.ADMIN, TestServer.ADMIN_PASSWORD)));
        read();
    }

    /** The next response, or null at the end of the stream. */
    LDAPMessage read() throws Exception {
        return LDAPMessage.readFrom(reader, true);
    }

    /** Reads until the server closes the connection. Returns the last message, or null. */
    LDAPMessage readToEnd() throws Exception {
        LDAPMessage last = null;
        for (LDAPMessage next = read(); next != null; next = read()) {
            last = next;
        }
        return last;
    }

    /** Has the connection cut off when it is closed, so that nothing of it is left. */
    void cutOffAtTheEnd() throws IOException {
        socket.setSoLinger(true, 0);
    }

    /** Sends nothing more. */
    void endOutput() throws IOException {
        socket.shutdownOutput();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
