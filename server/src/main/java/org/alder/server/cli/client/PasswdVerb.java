package org.alder.server.cli.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.text.JsonText;
import org.alder.partition.text.Utf8;
import org.alder.server.cli.option.CommandException;
import org.alder.server.cli.option.DataOptions;
import org.alder.server.cli.option.JsonOption;
import org.alder.server.cli.option.Verb;
import org.alder.server.cli.output.TerminalText;
import org.alder.server.client.LdapAnswer;
import org.alder.server.client.LdapCall;
import org.alder.server.config.ConfigurationException;
import org.alder.server.extended.PasswordModify;
import org.alder.server.extended.WhoAmI;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Changes a password over LDAP (RFC 3062). No password is ever an argument: arguments are shown to all users of the machine. */
@Command(name = "passwd", mixinStandardHelpOptions = true,
        description = "Change a password of the running server, over LDAP: somebody's, or that of whoever asks. The new one is asked for on the"
                + " terminal, or comes from a file; or the server makes one, which is printed once. The server hashes it, and its password"
                + " policy decides.",
        footer = {"  alder passwd uid=alice,ou=users,dc=example,dc=com", "  alder passwd --generate alice",
                "  alder passwd -H ldaps://ldap.example.com:10636 -D uid=alice,ou=users,dc=example,dc=com"})
public final class PasswdVerb implements Verb {
    private static final int MOST_BYTES = 4096;
    private static final int USER = 0x80;
    private static final int OLD = 0x81;
    private static final int NEW = 0x82;
    private static final int GENERATED = 0x80;

    @Mixin
    private DataOptions data;

    @Mixin
    private ServerOptions server;

    @Option(names = "--new-password-file", paramLabel = "F", description = "The new password, as one line; - is standard input.")
    private Path newPasswordFile;

    @Option(names = "--old-password-file", paramLabel = "F", description = "The old password, as one line, for a server that wants it. Where"
            + " somebody changes his own, it is the one that he logs in with.")
    private Path oldPasswordFile;

    @Option(names = "--generate", description = "Have the server make the new password, and print it.")
    private boolean generate;

    @Mixin
    private JsonOption json;

    @Parameters(arity = "0..1", paramLabel = "WHO", description = "Whose password: a DN, or a uid. Default: that of whoever asks (--bind-dn).")
    private String who;

    @Spec
    private CommandSpec command;

    private volatile boolean sent;

    @Override
    public Integer call() throws IOException, ConfigurationException, CommandException {
        if (generate && newPasswordFile != null) {
            throw new CommandException("--generate and --new-password-file: leave one of the two out");
        }
        if (who == null && !server.isNamed()) {
            throw new CommandException("say whose password: a DN or a uid, or --bind-dn DN for that of whoever asks");
        }
        try (ServerConnection calls = server.open(data)) {
            String name = who == null ? identity(calls) : calls.account(who);
            String wanted = wanted(name);
            BerWriter request = new BerWriter(128);
            int outer = request.begin(BerWriter.SEQUENCE);
            if (who != null) {
                request.string(USER, name);
            }
            if (oldPasswordFile != null) {
                request.string(OLD, read(oldPasswordFile));
            }
            if (wanted != null) {
                request.string(NEW, wanted);
            }
            request.end(outer);
            sent = true;
            LdapAnswer.Result result = calls.ask(LdapCall.extended(PasswordModify.OID, request.toByteArray()));
            ServerConnection.require(result, "change the password of \"" + name + '"');
            print(name, wanted == null ? generated(result.value()) : null);
        }
        return 0;
    }

    private static String identity(ServerConnection calls) throws IOException, CommandException {
        LdapAnswer.Result result = calls.ask(LdapCall.extended(WhoAmI.OID, null));
        ServerConnection.require(result, "ask who it is that asks");
        String identity = result.value() == null ? "" : Utf8.shown(result.value());
        return identity.startsWith("dn:") ? identity.substring("dn:".length()) : identity;
    }

    /** Null if the server is to make one. */
    private String wanted(String name) throws IOException, CommandException {
        if (generate) {
            return null;
        } else if (newPasswordFile != null) {
            return read(newPasswordFile);
        } else if (!TypedPassword.canBeAsked()) {
            throw new CommandException("there is no terminal to ask for the new password on: name a file with --new-password-file, or have the"
                    + " server make one with --generate");
        }
        return TypedPassword.askNew("New password of " + name + " (nothing: the server makes one): ");
    }

    /** As the first line says; there is no second one. */
    private static String read(Path file) throws IOException, CommandException {
        boolean isStandardInput = file.equals(Path.of("-"));
        String from = isStandardInput ? "standard input" : file.toString();
        byte[] bytes;
        if (isStandardInput) {
            bytes = System.in.readNBytes(MOST_BYTES + 1);
        } else {
            try (InputStream in = Files.newInputStream(file)) {
                bytes = in.readNBytes(MOST_BYTES + 1);
            }
        }
        String text = Utf8.decodeOrNull(bytes);
        String password = text == null ? "" : text.replaceAll("\\R\\z", "");
        if (bytes.length > MOST_BYTES || password.isEmpty() || password.lines().count() > 1) {
            throw new CommandException(from + ": expected a password as one line of UTF-8, at most " + MOST_BYTES + " bytes");
        }
        return password;
    }

    private static String generated(byte[] value) throws CommandException {
        try {
            BerReader reader = new BerReader(value == null ? new byte[0] : value);
            reader.enter(BerWriter.SEQUENCE);
            return Utf8.decode(reader.readBytes(GENERATED));
        } catch (BerException | CharacterCodingException e) {
            throw new CommandException("the server has changed the password, and does not say what to: set it again", e);
        }
    }

    private void print(String name, String generated) {
        PrintWriter out = command.commandLine().getOut();
        if (json.isOn()) {
            Map<String, Object> facts = new LinkedHashMap<>();
            facts.put("account", name);
            facts.put("changed", true);
            if (generated != null) {
                facts.put("password", generated);
            }
            out.println(JsonText.of(facts));
        } else if (generated != null) {
            out.println(TerminalText.shown(generated));
        } else {
            out.println("changed the password of " + TerminalText.shown(name));
        }
        out.flush();
    }

    @Override
    public String whenInterrupted() {
        return sent ? "stopped before the server answered: the password may have been changed" : "stopped: nothing was changed";
    }
}
