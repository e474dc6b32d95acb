package org.alder.server.cli.client;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.alder.ldif.LdifAttribute;
import org.alder.ldif.LdifEntry;
import org.alder.partition.ber.BerException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.filter.Filter;
import org.alder.partition.request.Modification;
import org.alder.partition.request.SearchScope;
import org.alder.server.cli.option.CommandException;
import org.alder.server.cli.option.WrongCallException;
import org.alder.server.cli.output.TerminalText;
import org.alder.server.client.LdapAnswer;
import org.alder.server.client.LdapCall;
import org.alder.server.client.LdapMessage;
import org.alder.server.client.LdapTransport;
import org.alder.server.protocol.StartTls;

/**
 * One connection to a server, for verbs that are about one that runs: binds, and then asks one thing after the other. One thread.
 *
 * <p>It is ours because a library would be more, not less: Apache Directory's client opens TCP connections alone, through MINA, and
 * UnboundID's SDK (5.9 MB) takes nothing but {@link java.net.Socket}, which no unix-domain socket of the JDK is.
 */
public final class ServerConnection implements AutoCloseable {
    private static final int MOST_BYTES = 64 << 20;
    private static final Filter ANY = new Filter.Present("objectClass");
    private static final Listener NOBODY = found -> { };

    private final LdapTransport transport;
    private int lastId;

    private ServerConnection(LdapTransport transport) {
        this.transport = transport;
    }

    /** Is told what a search finds, as it comes. */
    interface Listener {
        void found(LdapAnswer.Entry found) throws IOException;

        /** Another server has what belongs here. */
        default void reference(String url) {
        }
    }

    /** On a unix-domain socket of this machine. */
    static ServerConnection open(Path socket) throws IOException {
        return new ServerConnection(LdapTransport.open(socket));
    }

    /**
     * @param url such as ldaps://ldap.example.com:10636, ldap://127.0.0.1:10389 or ldapi://%2Frun%2Falder%2Fldapi; TLS is started on
     *     connections to other machines, and wherever an authority is given
     * @param authority a file with the certificates, PEM, that are trusted; null for those that Java trusts
     */
    static ServerConnection open(String url, Path authority) throws IOException, CommandException {
        LdapTransport transport = opened(url, authority);
        ServerConnection connection = new ServerConnection(transport);
        try {
            if (transport.wantsTls()) {
                connection.startTls();
            }
            return connection;
        } catch (IOException | CommandException e) {
            transport.close();
            throw e;
        }
    }

    /**
     * On a connection of this machine over which no password is sent, and which needs no TLS therefore.
     *
     * @param url of ldap:// or ldapi://
     */
    public static ServerConnection openInClear(String url) throws IOException, CommandException {
        return new ServerConnection(opened(url, null));
    }

    private static LdapTransport opened(String url, Path authority) throws CommandException {
        try {
            return LdapTransport.open(url, authority);
        } catch (LdapTransport.Refusal e) {
            throw advised(e);
        }
    }

    /** With the options that may help. */
    private static CommandException advised(LdapTransport.Refusal refusal) {
        String message = refusal.getMessage();
        return switch (refusal.kind()) {
            case URL -> new WrongCallException("--url " + message + ": expected such as ldaps://ldap.example.com:10636, ldap://127.0.0.1:10389 or"
                    + " ldapi://%2Frun%2Falder%2Fldapi", refusal);
            case NO_ANSWER -> new CommandException(message + ": start it, or say with --url where it listens", refusal);
            case TLS -> new CommandException(message + ": name the file with the certificate of its authority, or its own, with --ca, and the"
                    + " server as its certificate does", refusal);
            case AUTHORITY -> new CommandException("--ca " + message, refusal);
        };
    }

    private void startTls() throws IOException, CommandException {
        require(ask(LdapCall.extended(StartTls.OID, null)), "start TLS");
        try {
            transport.startTls();
        } catch (LdapTransport.Refusal e) {
            throw advised(e);
        }
    }

    /** From now on the server may take as long as it likes to answer. */
    void waitForEver() throws IOException {
        transport.waitForEver();
    }

    /** @param what was asked for @throws CommandException if the server did not do it, and why */
    static void require(LdapAnswer.Result result, String what) throws CommandException {
        if (!result.is(ResultCode.SUCCESS)) {
            boolean isKnown = !result.name().equals(Integer.toString(result.code()));
            throw new CommandException(what + ": result " + result.code() + (isKnown ? " (" + result.name() + ')' : "")
                    + (result.message().isEmpty() ? "" : ", " + TerminalText.shown(result.message())));
        }
    }

    /** As whom the system says that we are. @return whether the server takes us for somebody; false where it asks no system */
    boolean bindAsOwnUser() throws IOException, CommandException {
        if (!transport.isLocal()) {
            return false;
        }
        LdapAnswer.Result result = ask(LdapCall.bindExternal());
        if (result.is(ResultCode.INVALID_CREDENTIALS) || result.is(ResultCode.AUTH_METHOD_NOT_SUPPORTED)) {
            return false;
        }
        require(result, "bind as the system's user");
        return true;
    }

    void bind(String dn, String password) throws IOException, CommandException {
        require(ask(LdapCall.bind(dn, password)), "bind as \"" + dn + '"');
    }

    /** @return what the server says beside that it is done, mostly nothing */
    String modify(String dn, List<Modification> modifications) throws IOException, CommandException {
        LdapAnswer.Result result = ask(LdapCall.modify(dn, modifications));
        require(result, "modify \"" + dn + '"');
        return result.message();
    }

    /** @param attributes values that are added  @return what the server says beside that it is done, mostly nothing */
    String add(String dn, List<Modification> attributes) throws IOException, CommandException {
        LdapAnswer.Result result = ask(LdapCall.add(dn, attributes.stream()
                .map(each -> new LdapAnswer.Attribute(each.description(), each.values())).toList()));
        require(result, "add \"" + dn + '"');
        return result.message();
    }

    /** @return what the server says beside that it is done */
    String delete(String dn) throws IOException, CommandException {
        LdapAnswer.Result result = ask(LdapCall.delete(dn));
        require(result, "delete \"" + dn + '"');
        return result.message();
    }

    /** @return whether it was there, and could be deleted */
    boolean deleteIfThere(String dn) throws IOException, CommandException {
        LdapAnswer.Result result = ask(LdapCall.delete(dn));
        if (!result.is(ResultCode.NO_SUCH_OBJECT) && !result.is(ResultCode.UNWILLING_TO_PERFORM)) {
            require(result, "delete \"" + dn + '"');
        }
        return result.is(ResultCode.SUCCESS);
    }

    /** As a file has it. */
    static LdifEntry ldif(LdapAnswer.Entry entry) {
        return new LdifEntry(entry.dn(), entry.attributes().stream()
                .flatMap(each -> each.values().stream().map(value -> new LdifAttribute(each.description(), value))).toList());
    }

    /** The entries directly below this one. */
    List<LdapAnswer.Entry> children(String dn) throws IOException, CommandException {
        List<LdapAnswer.Entry> found = new ArrayList<>();
        require(children(dn, found), "search below \"" + dn + '"');
        return found;
    }

    /** The same; none if there is no such entry. */
    List<LdapAnswer.Entry> childrenIfThere(String dn) throws IOException, CommandException {
        List<LdapAnswer.Entry> found = new ArrayList<>();
        LdapAnswer.Result result = children(dn, found);
        if (!result.is(ResultCode.NO_SUCH_OBJECT)) {
            require(result, "search below \"" + dn + '"');
        }
        return found;
    }

    private LdapAnswer.Result children(String dn, List<LdapAnswer.Entry> found) throws IOException, CommandException {
        return ask(search(dn, SearchScope.ONE_LEVEL, 0, List.of()), found::add);
    }

    /**
     * The DN of an account.
     *
     * @param who a DN, or a uid, which has no equals sign and is searched for below all suffixes
     */
    String account(String who) throws IOException, CommandException {
        if (who.indexOf('=') >= 0) {
            return who;
        }
        List<LdapAnswer.Entry> found = new ArrayList<>();
        Filter named = new Filter.Equality("uid", who.getBytes(StandardCharsets.UTF_8));
        LdapAnswer.Result result = ask(LdapCall.search(new LdapCall.Search("", SearchScope.SUBTREE, named, 2, 0, false, List.of("1.1"))), found::add);
        if (found.size() > 1) {
            throw new CommandException("several entries have the uid " + who + ": name one by its DN, such as " + TerminalText.shown(found.get(0).dn()));
        }
        require(result, "search for the uid " + who);
        if (found.isEmpty()) {
            throw new CommandException("no entry that may be seen has the uid " + who + ": name the account by its DN");
        }
        return found.get(0).dn();
    }

    /** One entry. @param controls OIDs of controls that have no value */
    LdapAnswer.Entry read(String dn, List<String> attributes, String... controls) throws IOException, CommandException {
        LdapCall call = search(dn, SearchScope.BASE, 1, attributes);
        for (String oid : controls) {
            call.withIfKnown(oid);
        }
        List<LdapAnswer.Entry> found = new ArrayList<>(1);
        require(ask(call, found::add), "read \"" + dn + '"');
        if (found.isEmpty()) {
            throw new CommandException("read \"" + dn + "\": the server shows no such entry");
        }
        return found.get(0);
    }

    private static LdapCall search(String base, SearchScope scope, int sizeLimit, List<String> attributes) {
        return LdapCall.search(new LdapCall.Search(base, scope, ANY, sizeLimit, 0, false, attributes));
    }

    /** Waits until the server answers a search of this entry alone, whatever the answer is. */
    public void awaitAnswer(String dn) throws IOException, CommandException {
        ask(search(dn, SearchScope.BASE, 1, List.of("1.1")));
    }

    /** Of a request that finds nothing. */
    LdapAnswer.Result ask(LdapCall call) throws IOException, CommandException {
        return ask(call, NOBODY);
    }

    /** Tells what is found as it comes; what is not read yet waits at the server. */
    LdapAnswer.Result ask(LdapCall call, Listener listener) throws IOException, CommandException {
        try {
            int id = send(call);
            while (true) {
                LdapMessage message = LdapMessage.decode(transport.message(MOST_BYTES));
                if (message.answer() instanceof LdapAnswer.Result result && (message.id() == id || message.id() == 0)) {
                    return result;
                } else if (message.id() == id && message.answer() instanceof LdapAnswer.Entry entry) {
                    listener.found(entry);
                } else if (message.id() == id && message.answer() instanceof LdapAnswer.References references) {
                    references.urls().forEach(listener::reference);
                }
            }
        } catch (BerException e) {
            throw new CommandException("the server's answer is no LDAP: " + TerminalText.shown(e.getMessage()), e);
        } catch (EOFException e) {
            throw new CommandException("the server closed the connection before it answered", e);
        } catch (SocketTimeoutException e) {
            throw new CommandException("the server has not answered for " + LdapTransport.LIMIT_SECONDS + " seconds", e);
        }
    }

    /** @return the message's ID */
    private int send(LdapCall call) throws IOException {
        transport.send(call.encode(++lastId));
        return lastId;
    }

    /** Takes leave of the server. */
    @Override
    public void close() throws IOException {
        try (transport) {
            send(LdapCall.unbind());
        }
    }
}
