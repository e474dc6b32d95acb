package org.alder.server.cli.client;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.StoreException;
import org.alder.partition.request.Modification;
import org.alder.partition.schema.Schema;
import org.alder.server.assembly.AdministratorAssembly;
import org.alder.server.assembly.DataFolder;
import org.alder.server.assembly.ServerAssembly;
import org.alder.server.assembly.StoredConfiguration;
import org.alder.server.cli.option.CommandException;
import org.alder.server.cli.option.DataOptions;
import org.alder.server.config.ConfigurationException;
import org.alder.server.config.ConfigurationText;
import org.alder.server.config.ServerConfiguration;

/**
 * The configuration of a data folder, for verbs that change it there because no server answers: it is held meanwhile, and refused where a
 * server has it that only listens elsewhere. One thread.
 */
public final class FolderConfiguration {
    private final DataOptions options;
    private final DataFolder folder;
    private final String cure;

    /** Makes what it shall be of what it is. */
    private interface Edit {
        ConfigurationText of(ConfigurationText text) throws ConfigurationException, CommandException, DirectoryException;
    }

    FolderConfiguration(DataOptions options) {
        this(options, "name its address with --url, or stop it first");
    }

    /** @param cure what can be done where a server has the folder */
    FolderConfiguration(DataOptions options, String cure) {
        this.options = options;
        this.folder = options.data();
        this.cure = cure;
    }

    /** @throws ConfigurationException naming file, line and key, if a server could not be started with it */
    public static void check(DataFolder folder, ServerConfiguration configuration) throws ConfigurationException, IOException {
        Schema schema = folder.schema(configuration, List.of());
        folder.partitions(configuration, schema);
        AdministratorAssembly.dn(configuration, schema);
        ServerAssembly.accessRules(configuration, schema);
    }

    /** @param dn of the entry of the configuration */
    void modify(String dn, List<Modification> modifications) throws ConfigurationException, IOException, CommandException, DirectoryException {
        change(text -> text.modified(dn, modifications), dn + ": " + Modification.shown(modifications));
    }

    void add(String dn, List<Modification> keys) throws ConfigurationException, IOException, CommandException, DirectoryException {
        change(text -> text.added(dn, keys), dn + ": added: " + Modification.shown(keys));
    }

    void delete(String dn) throws ConfigurationException, IOException, CommandException, DirectoryException {
        change(text -> text.removed(dn), dn + ": deleted");
    }

    /** @param what for the history */
    private void change(Edit edit, String what) throws ConfigurationException, IOException, CommandException, DirectoryException {
        if (Files.notExists(folder.path())) {
            edited(edit, options.chosen());
            System.err.println("alder: there was no folder " + folder.path() + ": it is made");
        }
        try (Closeable held = hold()) {
            StoredConfiguration.Chosen chosen = options.chosen();
            byte[] after = edited(edit, chosen).ldif();
            StoredConfiguration stored = new StoredConfiguration(folder);
            stored.take(chosen);
            stored.change(stored.read().configuration().ldif(), after, Instant.now().truncatedTo(ChronoUnit.SECONDS) + " "
                    + System.getProperty("user.name") + " in the folder: " + what);
        }
    }

    private ServerConfiguration edited(Edit edit, StoredConfiguration.Chosen chosen) throws ConfigurationException, IOException, CommandException,
            DirectoryException {
        ServerConfiguration after = edit.of(chosen.text().with(List.of()).absolute()).configuration();
        check(folder, after);
        return after;
    }

    /** Takes the newest change back. */
    StoredConfiguration.Past undo() throws ConfigurationException, IOException, CommandException {
        StoredConfiguration stored = new StoredConfiguration(folder);
        if (stored.history().isEmpty()) {
            throw new CommandException("undo: there is no change of the configuration in " + folder.path());
        }
        try (Closeable held = hold()) {
            StoredConfiguration.Past newest = stored.history().get(0);
            ServerConfiguration before = stored.before(newest).configuration();
            check(folder, before);
            stored.undo(newest, before.ldif());
            return newest;
        }
    }

    private Closeable hold() throws IOException, CommandException {
        try {
            return folder.hold();
        } catch (StoreException e) {
            if (e.kind() != StoreException.Kind.REFUSED) {
                throw e;
            }
            throw new CommandException(e.getMessage() + ". If it is a server, it does not answer on " + folder.socket() + ": " + cure, e);
        }
    }
}
