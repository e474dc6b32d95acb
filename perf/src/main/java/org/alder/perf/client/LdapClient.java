package org.alder.perf.client;

import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;

/**
 * A blocking LDAP client for who looks at what the server says: it decodes all of every answer. {@link LdapConnection} is the
 * one that costs next to nothing. One thread, one request at a time; {@link #close} may come from any.
 */
public final class LdapClient implements AutoCloseable {
    private static final byte[] FIRST_PAGE = {};

    private final Socket socket;
    private final MessageInput in;
    private final BerWriter out = new BerWriter(1024);
    private int messageId;

    public LdapClient(String host, int port) throws IOException {
        this(host, port, MessageInput.MOST_WAIT_SECONDS * 1000);
    }

    /** @param waitMillis how long the connection may take, and then the server may send nothing while an answer is waited for */
    public LdapClient(String host, int port, int waitMillis) throws IOException {
        socket = LdapConnection.connected(host, port, waitMillis);
        in = new MessageInput(socket.getInputStream());
    }

    /**
     * All of an answer.
     *
     * @param result the last message of it
     */
    public record Answer(List<Message> entries, Message result) {
        public int code() {
            return result.code();
        }

        /** @throws IOException unless the code is that one */
        public Answer expect(int code) throws IOException {
            result.expect(code);
            return this;
        }
    }

    /** Sends a request and waits for its result. */
    public Answer send(Request request, Control... controls) throws IOException {
        begin(request, controls);
        List<Message> messages = new ArrayList<>();
        Message last = next();
        while (!last.isResult()) {
            messages.add(last);
            last = next();
        }
        return new Answer(Message.entries(messages), last);
    }

    /** A search in pages of so many entries (RFC 2696). The result is that of the last page. */
    public Answer sendPaged(Request.Search search, int pageEntries, Control... controls) throws IOException {
        List<Message> entries = new ArrayList<>();
        byte[] cookie = FIRST_PAGE;
        while (true) {
            Control[] all = Arrays.copyOf(controls, controls.length + 1);
            all[controls.length] = Control.page(pageEntries, cookie);
            Answer answer = send(search, all);
            entries.addAll(answer.entries());
            cookie = answer.code() == 0 ? cookie(answer.result().controls()) : FIRST_PAGE;
            if (cookie.length == 0) {
                return new Answer(entries, answer.result());
            }
        }
    }

    private static byte[] cookie(Map<String, byte[]> controls) throws IOException {
        byte[] value = controls.get(Control.PAGES);
        if (value == null) {
            throw new IOException("a page without the control of paged results");
        }
        try {
            BerReader reader = new BerReader(value);
            reader.enter(BerWriter.SEQUENCE);
            reader.skip();
            return reader.readBytes(BerWriter.OCTET_STRING);
        } catch (BerException e) {
            throw new IOException("a control that is not BER: " + e.getMessage(), e);
        }
    }

    /** Sends a request whose messages {@link #next} takes one by one. */
    public void begin(Request request, Control... controls) throws IOException {
        request.writeMessage(out, ++messageId, controls);
        socket.getOutputStream().write(out.buffer(), 0, out.size());
    }

    /** Waits for the next message. */
    public Message next() throws IOException {
        int length = in.awaitMessage();
        Message message = Message.read(in.bytes(), in.position(), length);
        in.consume(length);
        if (message.id() != messageId) {
            throw new IOException("a message with ID " + message.id() + " from the server, expected " + messageId + ": "
                    + message.text());
        }
        return message;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
