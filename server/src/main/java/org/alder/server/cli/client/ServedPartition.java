package org.alder.server.cli.client;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.schema.Schema;
import org.alder.partition.text.Utf8;
import org.alder.server.cli.option.CommandException;
import org.alder.server.cli.option.PartitionOptions;
import org.alder.server.client.LdapAnswer;

/** A partition of a running server, as {@code cn=Monitor} shows it. Immutable. */
record ServedPartition(String suffix, long entries, long sequence, long segments, long diskBytes, long logBytes, ServedIndexes indexes) {
    private static ServedPartition of(LdapAnswer.Entry entry) throws CommandException {
        return new ServedPartition(suffix(entry), number(entry, "alderEntries"), number(entry, "alderSequence"), number(entry, "alderSegments"),
                number(entry, "alderDiskBytes"), number(entry, "alderLogBytes"), ServedIndexes.of(entry));
    }

    /** Those that are meant. @throws CommandException if there are none */
    static List<ServedPartition> of(ServerConnection server, PartitionOptions meant, Schema schema) throws IOException, CommandException,
            DirectoryException {
        List<ServedPartition> found = new ArrayList<>();
        for (LdapAnswer.Entry entry : server.children("cn=Monitor")) {
            if (!suffix(entry).isEmpty() && meant.isMeant(schema, suffix(entry))) {
                found.add(of(entry));
            }
        }
        if (found.isEmpty()) {
            throw new CommandException("the server shows no such partition");
        }
        return found;
    }

    private static String suffix(LdapAnswer.Entry entry) {
        List<byte[]> values = entry.byDescription().getOrDefault("alderSuffix", List.of());
        return values.isEmpty() ? "" : Utf8.shown(values.get(0));
    }

    private static long number(LdapAnswer.Entry entry, String name) throws CommandException {
        List<byte[]> values = entry.byDescription().getOrDefault(name, List.of());
        String text = values.isEmpty() ? "" : Utf8.shown(values.get(0));
        if (!text.matches("[0-9]{1,18}")) {
            throw new CommandException("the server shows \"" + text + "\" as " + name + " of " + entry.dn() + ", expected a number");
        }
        return Long.parseLong(text);
    }
}
