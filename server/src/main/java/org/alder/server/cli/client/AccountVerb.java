package org.alder.server.cli.client;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.request.Modification;
import org.alder.partition.text.JsonText;
import org.alder.server.cli.option.CommandException;
import org.alder.server.cli.option.DataOptions;
import org.alder.server.cli.option.JsonOption;
import org.alder.server.cli.option.Verb;
import org.alder.server.client.LdapAnswer;
import org.alder.server.config.ConfigurationException;
import org.alder.server.control.search.AccountUsability;
import org.alder.server.policy.AccountAttributes;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Locks and unlocks accounts of a running server, and says what state they are in, over LDAP. */
@Command(name = "account", mixinStandardHelpOptions = true,
        description = "Show, lock, unlock or expire an account of the running server, over LDAP.",
        footer = {"  alder account status uid=alice,ou=users,dc=example,dc=com",
                "  alder account lock alice"})
public final class AccountVerb implements Verb {
    private static final String LOCKED = "000001010000Z";

    private enum Action {
        STATUS(List.of()),
        LOCK(List.of(set(AccountAttributes.LOCKED_SINCE, LOCKED))),
        /** Depends on what there is. */
        UNLOCK(List.of()),
        EXPIRE(List.of(set(AccountAttributes.RESET, "TRUE")));

        private final List<Modification> modifications;

        Action(List<Modification> modifications) {
            this.modifications = modifications;
        }

        private static Modification set(String name, String... values) {
            return new Modification(Modification.Kind.REPLACE, name, List.of(values).stream()
                    .map(value -> value.getBytes(StandardCharsets.US_ASCII)).toList());
        }
    }

    @Mixin
    private DataOptions data;

    @Mixin
    private ServerOptions server;

    @Mixin
    private JsonOption json;

    @Parameters(index = "0", paramLabel = "ACTION", description = "status: show whether its user can log in, and if not, why and until when. "
            + "lock: let nobody log in until unlock. unlock: end locks of every kind. expire: make the user change the password at the next login.")
    private Action action;

    @Parameters(index = "1", paramLabel = "WHO", description = "Whose account: a DN, or a uid.")
    private String who;

    @Spec
    private CommandSpec command;

    @Override
    public Integer call() throws IOException, ConfigurationException, CommandException {
        AccountAttributes attributes = new AccountAttributes(data.schema());
        try (ServerConnection server = this.server.open(data)) {
            String dn = server.account(who);
            List<Modification> modifications = action == Action.UNLOCK ? attributes.unlocking(record(server.read(dn, attributes.names()))) : action.modifications;
            if (!modifications.isEmpty()) {
                server.modify(dn, modifications);
            }
            LdapAnswer.Entry found = server.read(dn, attributes.names(), AccountUsability.OID);
            print(new AccountReport(found, attributes.of(record(found)), Instant.now()));
        }
        return 0;
    }

    private static EntryRecord record(LdapAnswer.Entry found) {
        List<Attribute> stored = new ArrayList<>();
        found.byDescription().forEach((name, values) -> stored.add(new Attribute(name, values)));
        return EntryRecord.of(0, new byte[0], List.of(), stored);
    }

    private void print(AccountReport report) throws CommandException {
        PrintWriter out = command.commandLine().getOut();
        if (json.isOn()) {
            out.println(JsonText.of(report.facts()));
        } else {
            report.lines().forEach((name, text) -> out.println(String.format(Locale.ROOT, "%-12s%s", name, text)));
        }
        out.flush();
    }
}
