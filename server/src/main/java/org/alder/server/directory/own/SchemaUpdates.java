package org.alder.server.directory.own;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.alder.partition.Partition;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.request.Modification;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.Schema;
import org.alder.partition.schema.SchemaEdit;
import org.alder.partition.schema.SchemaRevision;
import org.alder.partition.schema.definition.DefinitionKind;
import org.alder.partition.text.Utf8;

/**
 * Changes of the schema by modifying the subschema subentry (RFC 4512 4.2): all modifications or none, one request after another.
 * Thread safe.
 *
 * <p>Adding a definition holds updates back for a moment. Deleting one, or changing what values of it mean, is refused if any
 * entry or index depends on it, and so is any change that would give a key of an index another meaning: every entry is looked at,
 * while updates wait. What is in the commit log is written into segments first,
 * because keys of deleted types could not be derived from it after a crash.
 *
 * <p>The definitions are in their file, synced, before the schema is changed and before updates go on: what a crash leaves is the
 * schema before or after, and no entry that needs the other one. In a cluster it is the cluster's schema that is changed, while those that lead hold
 * updates.
 */
public final class SchemaUpdates {
    private final Schema schema;
    private final Supplier<List<Partition>> partitions;
    private final SchemaUse use;
    private final OnlineSchema file;
    private final Executor oneByOne;

    /** @param file of the definitions that are added; null if the schema cannot be changed */
    public SchemaUpdates(Schema schema, Supplier<List<Partition>> partitions, OnlineSchema file) {
        this.schema = schema;
        this.partitions = partitions;
        this.use = new SchemaUse(schema, partitions);
        this.file = file;
        ThreadPoolExecutor thread = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
            Thread made = new Thread(task, "alder-schema");
            made.setDaemon(true);
            return made;
        });
        thread.allowCoreThreadTimeOut(true);
        this.oneByOne = thread;
    }

    /** @param dryRun whether the change is checked to its end and then refused with {@link ResultCode#NO_OPERATION} */
    public CompletableFuture<Void> modify(List<Modification> modifications, boolean dryRun) {
        CompletableFuture<Void> result = new CompletableFuture<>();
        oneByOne.execute(() -> {
            try {
                changeAlone(modifications, dryRun);
                result.complete(null);
            } catch (DirectoryException | RuntimeException | Error e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    /** While no partition comes or goes. */
    private void changeAlone(List<Modification> modifications, boolean dryRun) throws DirectoryException {
        if (file == null) {
            throw new DirectoryException(ResultCode.UNWILLING_TO_PERFORM,
                    "this server has no file for changes of its schema");
        }
        synchronized (file) {
            change(modifications, dryRun);
        }
    }

    private void change(List<Modification> modifications, boolean dryRun) throws DirectoryException {
        try (SchemaTurn turn = file.cluster() == null ? SchemaTurn.alone(partitions.get()) : file.cluster().turn()) {
            change(turn, modifications, dryRun);
        }
        use.keepFingerprints();
    }

    private void change(SchemaTurn turn, List<Modification> modifications, boolean dryRun) throws DirectoryException {
        SchemaEdit edit = schema.edit();
        for (Modification modification : modifications) {
            apply(edit, modification);
        }
        SchemaRevision revision = edit.revise();
        use.requireNoIndex(revision);
        boolean looksAtEntries = use.concernsEntries(revision);
        if (looksAtEntries) {
            turn.look();
            use.requireNoUse(revision);
        }
        turn.hold(revision.onlineFile());
        if (looksAtEntries) {
            use.flush();
            use.requireNoUse(revision);
        }
        if (dryRun) {
            throw new DirectoryException(ResultCode.NO_OPERATION,
                    "nothing was changed, as asked; the change is a valid one");
        }
        turn.take(revision, file);
    }

    private static String definition(DefinitionKind kind, byte[] value) throws DirectoryException {
        String text = Utf8.decodeOrNull(value);
        if (text == null) {
            throw new DirectoryException(ResultCode.INVALID_ATTRIBUTE_SYNTAX,
                    "a value of " + kind.attribute() + " is not UTF-8: \"" + Utf8.shown(value) + "\"");
        }
        return text;
    }

    private void apply(SchemaEdit edit, Modification modification) throws DirectoryException {
        DefinitionKind kind = kind(modification.description());
        List<String> texts = new ArrayList<>();
        for (byte[] value : modification.values()) {
            texts.add(definition(kind, value));
        }
        switch (modification.kind()) {
            case ADD -> {
                for (String text : texts) {
                    edit.add(kind, text);
                }
            }
            case DELETE -> {
                if (texts.isEmpty()) {
                    edit.replace(kind, List.of());
                }
                for (String text : texts) {
                    edit.remove(kind, text);
                }
            }
            case REPLACE -> edit.replace(kind, texts);
            default -> throw new DirectoryException(ResultCode.CONSTRAINT_VIOLATION,
                    kind.attribute() + " cannot be incremented");
        }
    }

    private DefinitionKind kind(String text) throws DirectoryException {
        AttributeDescription description = schema.description(text);
        for (DefinitionKind kind : DefinitionKind.values()) {
            if (kind.isEditable() && description.options().isEmpty() && description.type().name().equalsIgnoreCase(kind.attribute())) {
                return kind;
            }
        }
        throw new DirectoryException(ResultCode.UNWILLING_TO_PERFORM, "the attribute " + text + " of \"" + Schema.SUBSCHEMA_DN
                + "\" belongs to the server; clients can change " + String.join(", ", DefinitionKind.attributes()));
    }
}
