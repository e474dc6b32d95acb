package org.alder.server.follow;

import java.io.Closeable;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.error.ResultCode;
import org.alder.partition.filter.Filter;
import org.alder.partition.request.SearchScope;
import org.alder.server.client.LdapAnswer;
import org.alder.server.client.LdapCall;
import org.alder.server.client.LdapMessage;
import org.alder.server.client.LdapTransport;
import org.alder.server.protocol.StartTls;

/** A connection to a followed server, which has logged in. What comes is bounded before it is decoded. One thread, but for {@link #close}. */
final class ProviderConnection implements Closeable {
    /** Entries that refer elsewhere are shown as they are (RFC 3296). */
    static final String MANAGE_DSA_IT = "2.16.840.1.113730.3.4.2";
    private static final int MOST_BYTES = 64 << 20;
    /** A message takes about so much more of the heap than of the wire, and one may take this part of it. */
    private static final int HEAP_PART = 16;
    private static final int BYTES_OF_ELEMENT = 64;
    private static final int MOST_PASSWORD_BYTES = 4096;

    private final LdapTransport transport;
    private final long mostElements = Runtime.getRuntime().maxMemory() / 4 / BYTES_OF_ELEMENT;
    private final int mostBytes = (int) Math.min(MOST_BYTES, Runtime.getRuntime().maxMemory() / HEAP_PART);
    private int lastId;

    private ProviderConnection(LdapTransport transport) {
        this.transport = transport;
    }

    /** @throws IOException if there is no way to it @throws FollowException if it does not let us in; the message says why */
    static ProviderConnection open(FollowSettings settings) throws IOException, FollowException, BerException {
        LdapTransport transport = LdapTransport.open(settings.provider(), settings.trust());
        ProviderConnection connection = new ProviderConnection(transport);
        boolean done = false;
        try {
            connection.logIn(settings);
            done = true;
            return connection;
        } finally {
            if (!done) {
                transport.close();
            }
        }
    }

    private void logIn(FollowSettings settings) throws IOException, FollowException, BerException {
        if (transport.wantsTls() && !settings.inClear()) {
            require(ask(LdapCall.extended(StartTls.OID, null), null), "start TLS");
            transport.startTls();
        }
        FollowSettings.Login login = settings.login();
        if (login != null) {
            require(ask(LdapCall.bind(login.dn(), password(login)), null), "bind as \"" + login.dn() + '"');
        } else if (transport.isLocal()) {
            require(ask(LdapCall.bindExternal(), null), "bind as the system's user");
        }
    }

    private static String password(FollowSettings.Login login) throws IOException, FollowException {
        String text;
        if (login.file() == null) {
            text = System.getenv(login.variable());
        } else if (Files.size(login.file()) > MOST_PASSWORD_BYTES) {
            throw new FollowException(FollowException.Next.RETRY, login.file() + " has " + Files.size(login.file())
                    + " bytes, expected a password, at most " + MOST_PASSWORD_BYTES);
        } else {
            text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(Files.readAllBytes(login.file()))).toString().stripTrailing();
        }
        if (text == null || text.isEmpty()) {
            // It would be a login as nobody (RFC 4513 5.1.2).
            throw new FollowException(FollowException.Next.RETRY, (login.file() == null ? "the variable " + login.variable() : login.file())
                    + " is empty, expected the password of \"" + login.dn() + '"');
        }
        return text;
    }

    private static void require(LdapAnswer.Result result, String what) throws FollowException {
        if (!result.is(ResultCode.SUCCESS)) {
            throw refused(result, what);
        }
    }

    static FollowException refused(LdapAnswer.Result result, String what) {
        return new FollowException(FollowException.Next.RETRY, what + ": result " + result.code() + " (" + result.name() + ')'
                + (result.message().isEmpty() ? "" : ", " + shown(result.message())));
    }

    /** On one line, and not too long. */
    static String shown(String text) {
        String line = text.replaceAll("\\p{Cntrl}", " ");
        return line.length() > 500 ? line.substring(0, 500) + "..." : line;
    }

    /** The entry of this name, for what is read beside the entries that are followed. */
    LdapAnswer.Entry read(String dn, List<String> attributes) throws IOException, FollowException, BerException {
        LdapAnswer.Entry entry = find(dn, attributes);
        if (entry == null) {
            throw new FollowException(FollowException.Next.RETRY, "read \"" + shown(dn) + "\": the server shows no such entry");
        }
        return entry;
    }

    /** As {@link #read}; null if there is none, or none that is shown. */
    LdapAnswer.Entry find(String dn, List<String> attributes) throws IOException, FollowException, BerException {
        return find(dn, SearchScope.BASE, new Filter.Present("objectClass"), attributes);
    }

    /** The one entry below, or of that name; null if there is none, or none that is shown. */
    LdapAnswer.Entry find(String base, SearchScope scope, Filter filter, List<String> attributes) throws IOException, FollowException, BerException {
        List<LdapAnswer.Entry> found = new ArrayList<>(1);
        LdapAnswer.Result result = ask(LdapCall.search(new LdapCall.Search(base, scope, filter, 1, 0, false, attributes)).withIfKnown(MANAGE_DSA_IT), found);
        if (!result.is(ResultCode.NO_SUCH_OBJECT)) {
            require(result, "read \"" + shown(base) + '"');
        }
        return found.isEmpty() ? null : found.get(0);
    }

    /** @param found takes the entries that come, one at most; null for none */
    private LdapAnswer.Result ask(LdapCall call, List<LdapAnswer.Entry> found) throws IOException, FollowException, BerException {
        int id = send(call);
        while (true) {
            LdapMessage message;
            try {
                message = next();
            } catch (SocketTimeoutException e) {
                throw new FollowException(FollowException.Next.RETRY, "the server has not answered for " + LdapTransport.LIMIT_SECONDS + " seconds", e);
            }
            if (message.answer() instanceof LdapAnswer.Result result && (message.id() == id || message.id() == 0)) {
                return result;
            } else if (found != null && found.isEmpty() && message.answer() instanceof LdapAnswer.Entry entry) {
                found.add(entry);
            }
        }
    }

    /** @return the message's ID */
    int send(LdapCall call) throws IOException {
        transport.send(call.encode(++lastId));
        return lastId;
    }

    /** @throws SocketTimeoutException if nothing comes for {@link LdapTransport#LIMIT_SECONDS}: it may be called again */
    LdapMessage next() throws IOException, BerException {
        byte[] message = transport.message(mostBytes);
        int elements = new BerReader(message).countElements();
        if (elements > mostElements) {
            throw new BerException("a message of " + elements + " elements, expected at most " + mostElements);
        }
        return LdapMessage.decode(message);
    }

    /** Whether more has come already. */
    boolean hasMore() throws IOException {
        return transport.hasMore();
    }

    /** Also ends what the thread waits for. */
    @Override
    public void close() throws IOException {
        transport.close();
    }
}
