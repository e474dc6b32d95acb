package org.alder.server.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.alder.ldif.LdifEntry;
import org.alder.ldif.LdifGenerator;
import org.alder.ldif.RejectFile;
import org.alder.ldif.SampleDirectory;
import org.alder.ldif.bulk.BulkImport;
import org.alder.ldif.progress.Progress;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.BulkLoad;
import org.alder.partition.text.Counted;
import org.alder.partition.text.JsonText;
import org.alder.partition.update.UpdateOrigin;
import org.alder.server.assembly.DataFolder;
import org.alder.server.assembly.PartitionFolder;
import org.alder.server.assembly.ServerAssembly;
import org.alder.server.auth.Passwords;
import org.alder.server.cli.option.CommandException;
import org.alder.server.cli.option.MemoryOption;
import org.alder.server.config.ConfigurationException;
import org.alder.server.config.ServerConfiguration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Loads the sample into an empty partition, and knows the passwords that it has made for that, in this run alone. One thread. */
final class SampleLoad {
    private static final Logger LOG = LoggerFactory.getLogger(SampleLoad.class);
    private static final int PASSWORD_LENGTH = 12;

    private final long people;
    private final ServerConfiguration configuration;
    private final DataFolder data;
    private final Map<String, String> passwords = new LinkedHashMap<>();

    /** @param people how many; 0 for no sample */
    SampleLoad(long people, ServerConfiguration configuration, DataFolder data) {
        this.people = people;
        this.configuration = configuration;
        this.data = data;
    }

    /** @param shards the folder of the first partition, or those of its shards */
    void load(Schema schema, List<PartitionFolder> shards, Dn administrator, Progress progress)
            throws IOException, DirectoryException, ConfigurationException, CommandException {
        if (people == 0) {
            return;
        }
        PartitionFolder folder = shards.get(0);
        if (!folder.suffix().equals(Dn.parse(schema, LdifGenerator.SUFFIX))) {
            throw new CommandException("--sample: its entries are those of \"" + LdifGenerator.SUFFIX + "\", and the first partition has the suffix \""
                    + folder.suffix().text() + '"');
        }
        if (!shards.stream().allMatch(PartitionFolder::isEmpty)) {
            LOG.info("{} holds entries already: no sample is loaded", folder.path());
            return;
        }
        SampleDirectory sample = new SampleDirectory(people, stored());
        Iterator<LdifEntry> entries = sample.entries().peek(entry -> progress.advance(1)).iterator();
        try (RejectFile rejects = new RejectFile(data.rejects());
                BulkLoad load = PartitionFolder.bulkLoad(shards, MemoryOption.defaultBytes(), null);
                BulkImport importing = new BulkImport(schema, folder.suffix(), new UpdateOrigin(administrator.text(), Instant.now()),
                        folder.rules(), load, rejects)) {
            progress.begin("generating and loading", Progress.Unit.ENTRIES, sample.count());
            importing.read(() -> entries.hasNext() ? entries.next() : null);
            progress.finish();
            importing.publish(progress);
            if (rejects.count() > 0) {
                throw new CommandException("what does not fit this partition: " + Counted.of(rejects.count(), "entry") + " of the sample, see " + rejects.path());
            }
        }
    }

    /** Makes a password for each account that has one. @return what is stored of them */
    private Map<String, byte[]> stored() throws ConfigurationException {
        Passwords hashing = new Passwords(ServerAssembly.passwords(configuration));
        Map<String, byte[]> stored = new LinkedHashMap<>();
        for (String dn : SampleDirectory.accounts(people)) {
            byte[] password = hashing.generate(PASSWORD_LENGTH, false);
            passwords.put(dn, new String(password, StandardCharsets.US_ASCII));
            stored.put(dn, hashing.toStored(password));
        }
        return stored;
    }

    /** Whether it was loaded now. */
    boolean isLoaded() {
        return !passwords.isEmpty();
    }

    /** Shows the passwords that were made, once; nothing if no sample was loaded. @param json an object for each, for programs */
    void print(boolean json) {
        if (!json && !passwords.isEmpty()) {
            System.out.println("passwords of the sample, which are shown this once; \"alder passwd DN\" gives another one:");
        }
        passwords.forEach((dn, password) -> System.out.println(json ? JsonText.of(Map.of("account", dn, "password", password))
                : "  " + password + "  " + dn));
    }
}
