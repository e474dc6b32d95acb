package org.alder.server.directory.own;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.request.Modification;
import org.alder.partition.schema.Schema;
import org.alder.partition.tree.EntryView;
import org.alder.server.audit.AuditTrail;
import org.alder.server.auth.Identity;
import org.alder.server.directory.CapturedEntry;
import org.alder.server.directory.Change;
import org.alder.server.directory.EntryCursor;
import org.alder.server.directory.OperationContext;
import org.alder.server.directory.OperationOptions;
import org.alder.server.directory.SearchRequest;

/**
 * The configuration as entries: {@code cn=config} with the keys of the server, and below it one for each partition
 * (docs/configuration.md). What the configuration says are user attributes, the defaults of all other keys operational ones. Keys
 * are no attribute types of the schema, whose names are the site's own: a filter finds nothing by them. Administrators alone may
 * look at it, and change it. Made anew for each search. Thread safe.
 */
public final class ConfigurationTree {
    /** Its name, and that of the server's own entry. */
    public static final String DN = "cn=config";

    /** How many RDNs its names have at most. */
    public static final int DEPTH = 2;

    private final Schema schema;
    private final RunningConfiguration configuration;

    public ConfigurationTree(Schema schema, RunningConfiguration configuration) {
        this.schema = schema;
        this.configuration = configuration;
    }

    /** Whether the DN is that of the configuration, or below it. */
    public static boolean contains(Dn dn) {
        return !dn.isRoot() && "config".equals(ServerEntry.commonName(dn.rdn(dn.size() - 1)));
    }

    /**
     * Changes an entry ({@link RunningConfiguration#modify}).
     *
     * @return what came of it, with a note for the client, as if some of it waits for the next start
     */
    public CompletableFuture<Change> modify(OperationContext context, Dn dn, List<Modification> modifications) {
        return change(context, dn, Modification.shown(modifications),
                (who, dryRun) -> configuration.modify(dn, modifications, who, dryRun));
    }

    /** Makes a partition ({@link RunningConfiguration#add}). */
    public CompletableFuture<Change> add(OperationContext context, Dn dn, List<Attribute> attributes) {
        List<Modification> keys = attributes.stream()
                .map(each -> new Modification(Modification.Kind.ADD, each.description(), each.values())).toList();
        return change(context, dn, "added: " + Modification.shown(keys), (who, dryRun) -> configuration.add(dn, keys, who, dryRun));
    }

    /** Ends serving a partition ({@link RunningConfiguration#delete}). */
    public CompletableFuture<Change> delete(OperationContext context, Dn dn) {
        return change(context, dn, "deleted", (who, dryRun) -> configuration.delete(dn, who, dryRun));
    }

    private CompletableFuture<Change> change(OperationContext context, Dn dn, String shown,
            BiFunction<String, Boolean, CompletableFuture<String>> change) {
        OperationOptions options = context.options();
        CapturedEntry before;
        try {
            requireAdministrator(context.identity(), dn);
            if (context.transaction() != null) {
                throw new DirectoryException(ResultCode.UNWILLING_TO_PERFORM, "the configuration cannot be changed in a transaction");
            }
            before = options.showBefore() ? captured(dn) : null;
        } catch (DirectoryException e) {
            return CompletableFuture.failedFuture(e);
        }
        String who = context.identity().dn().text() + (context.client() == null || context.client().address() == null ? ""
                : " from " + context.client().address().getHostAddress());
        return change.apply(who, options.dryRun()).thenApply(note -> {
            context.audit().tell(AuditTrail.Kind.CONFIGURATION, "configurationChanged", dn.text(), shown);
            return new Change(before, options.showAfter() ? captured(dn) : null, note);
        });
    }

    /** Null if there is no such entry. */
    private CapturedEntry captured(Dn dn) {
        List<RunningConfiguration.Part> parts = configuration.parts();
        for (int i = 0; i < parts.size(); i++) {
            Dn name = Dn.stored(schema, parts.get(i).dn());
            if (name.equals(dn)) {
                return new ServerEntry(schema, entry(i + 1, parts.get(i), name)).captured();
            }
        }
        return null;
    }

    /** @throws DirectoryException insufficientAccessRights for others than administrators; noSuchObject if there is no such entry */
    public EntryCursor search(Identity identity, SearchRequest request) throws DirectoryException {
        requireAdministrator(identity, request.base());
        List<ServerEntry> found = new ArrayList<>();
        boolean baseExists = false;
        int number = 0;
        for (RunningConfiguration.Part part : configuration.parts()) {
            Dn dn = Dn.parse(schema, part.dn());
            baseExists |= dn.equals(request.base());
            number++;
            if (ServerEntry.isInScope(dn, request)) {
                found.add(new ServerEntry(schema, entry(number, part, dn)));
            }
        }
        if (!baseExists) {
            throw DirectoryException.noSuchObject(request.base().text(), DN);
        }
        return new EntryListCursor(found.iterator(), request);
    }

    private static void requireAdministrator(Identity identity, Dn dn) throws DirectoryException {
        if (!identity.administrator()) {
            throw new DirectoryException(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, "only administrators may look at, or change, \"" + dn.text()
                    + "\", which is the configuration");
        }
    }

    private static EntryView entry(int number, RunningConfiguration.Part part, Dn dn) {
        List<Attribute> user = new ArrayList<>(List.of(Subschema.text("objectClass", List.of("top", part.objectClass())),
                new Attribute("cn", List.of(dn.rdn().avas().get(0).value()))));
        add(user, part.said());
        List<Attribute> operational = new ArrayList<>();
        add(operational, part.defaults());
        add(operational, part.facts());
        String rdn = part.dn().split(",", 2)[0];
        return new EntryView(number, EntryRecord.of(0, rdn.getBytes(StandardCharsets.UTF_8), user, operational), part.dn());
    }

    private static void add(List<Attribute> attributes, Map<String, List<String>> keys) {
        keys.forEach((key, values) -> attributes.add(Subschema.text(key, values)));
    }
}
