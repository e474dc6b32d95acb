package org.alder.server.follow;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.alder.partition.ber.BerException;
import org.alder.partition.entry.Attribute;
import org.alder.partition.error.StoreException;
import org.alder.partition.request.Modification;
import org.alder.partition.schema.Schema;
import org.alder.partition.schema.definition.Definition;
import org.alder.partition.schema.definition.DefinitionKind;
import org.alder.partition.schema.definition.DefinitionParser;
import org.alder.partition.text.Utf8;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes over definitions of attribute types and object classes that entries of a followed server have and the schema has not, with
 * those that they refer to, from that server's subschema (RFC 4512 4.2). One thread.
 */
final class ProviderSchema {
    private static final Logger LOG = LoggerFactory.getLogger(ProviderSchema.class);
    private static final int MOST_TAKEN = 5000;
    private static final int MOST_NAMED = 20;
    private static final List<DefinitionKind> KINDS = List.of(DefinitionKind.ATTRIBUTE_TYPE, DefinitionKind.OBJECT_CLASS);

    private final Schema schema;
    private final FollowSettings settings;
    private final Taking taking;

    /** Adds definitions to the schema. */
    @FunctionalInterface
    interface Taking {
        CompletableFuture<Void> take(List<Modification> definitions);
    }

    ProviderSchema(Schema schema, FollowSettings settings, Taking taking) {
        this.schema = schema;
        this.settings = settings;
        this.taking = taking;
    }

    /** One that is missing. @param name in small letters, or an OID */
    private record Missing(DefinitionKind kind, String name) {
    }

    /** Sees to it that the schema has what the entry has. @throws FollowException naming what it lacks */
    void complete(String dn, List<Attribute> attributes) throws IOException, BerException, FollowException {
        Set<Missing> missing = new LinkedHashSet<>();
        for (Attribute attribute : attributes) {
            need(missing, DefinitionKind.ATTRIBUTE_TYPE, withoutOptions(attribute.description()));
            if (attribute.description().equalsIgnoreCase("objectClass")) {
                attribute.values().forEach(value -> need(missing, DefinitionKind.OBJECT_CLASS, Utf8.shown(value)));
            }
        }
        if (!missing.isEmpty()) {
            takeOver(dn, missing);
        }
    }

    private static String withoutOptions(String description) {
        int options = description.indexOf(';');
        return options < 0 ? description : description.substring(0, options);
    }

    private void need(Set<Missing> missing, DefinitionKind kind, String name) {
        boolean known = kind == DefinitionKind.ATTRIBUTE_TYPE ? schema.attributeType(name) != null : schema.objectClass(name) != null;
        if (!known && missing.size() <= MOST_TAKEN) {
            missing.add(new Missing(kind, name.toLowerCase(Locale.ROOT)));
        }
    }

    private void takeOver(String dn, Set<Missing> missing) throws IOException, BerException, FollowException {
        Map<Missing, Definition> theirs = read();
        Map<Missing, Definition> taken = new LinkedHashMap<>();
        List<Missing> unknown = new ArrayList<>();
        List<Missing> open = new ArrayList<>(missing);
        for (int i = 0; i < open.size() && i <= MOST_TAKEN; i++) {
            Definition definition = theirs.get(open.get(i));
            if (definition == null) {
                unknown.add(open.get(i));
            } else if (taken.put(new Missing(definition.kind(), definition.oid()), definition) == null) {
                Set<Missing> more = new LinkedHashSet<>();
                definition.list("SUP").forEach(each -> need(more, definition.kind(), each));
                definition.list("MUST").forEach(each -> need(more, DefinitionKind.ATTRIBUTE_TYPE, each));
                definition.list("MAY").forEach(each -> need(more, DefinitionKind.ATTRIBUTE_TYPE, each));
                more.stream().filter(each -> !open.contains(each)).forEach(open::add);
            }
        }
        String what = "the entry \"" + ProviderConnection.shown(dn) + "\" of the server has what the schema has not: " + names(missing);
        if (!unknown.isEmpty() || open.size() > MOST_TAKEN) {
            throw new FollowException(FollowException.Next.RETRY, what + "; the server's own schema does not define "
                    + (unknown.isEmpty() ? "it in " + MOST_TAKEN + " definitions" : names(unknown)) + ": add the definitions (docs/schema.md)");
        }
        take(what, taken);
    }

    private static String names(Iterable<Missing> missing) {
        StringBuilder names = new StringBuilder();
        int count = 0;
        for (Missing each : missing) {
            if (++count > MOST_NAMED) {
                return names.append(" and more").toString();
            }
            names.append(count == 1 ? "" : ", ").append(ProviderConnection.shown(each.name));
        }
        return names.toString();
    }

    private void take(String what, Map<Missing, Definition> taken) throws FollowException {
        List<Modification> modifications = new ArrayList<>();
        for (DefinitionKind kind : KINDS) {
            List<byte[]> texts = taken.values().stream().filter(each -> each.kind() == kind)
                    .map(each -> each.text().getBytes(StandardCharsets.UTF_8)).toList();
            if (!texts.isEmpty()) {
                modifications.add(new Modification(Modification.Kind.ADD, kind.attribute(), texts));
            }
        }
        try {
            taking.take(modifications).join();
        } catch (CompletionException e) {
            throw new FollowException(FollowException.Next.RETRY, what + "; the server's definitions cannot be taken over: "
                    + e.getCause().getMessage(), e.getCause());
        }
        LOG.info("{}: took over the definitions of {} from {}", settings.suffix().line(), names(taken.keySet()), settings.provider());
    }

    /** Over a connection of its own, as the other one is in the midst of a search. */
    private Map<Missing, Definition> read() throws IOException, BerException {
        Map<Missing, Definition> all = new LinkedHashMap<>();
        try (ProviderConnection connection = ProviderConnection.open(settings)) {
            List<byte[]> named = connection.read("", List.of("subschemaSubentry")).byDescription().getOrDefault("subschemaSubentry", List.of());
            if (named.isEmpty()) {
                return all;
            }
            Map<String, List<byte[]>> values = connection.read(Utf8.shown(named.get(0)),
                    KINDS.stream().map(DefinitionKind::attribute).toList()).byDescription();
            for (DefinitionKind kind : KINDS) {
                for (byte[] value : values.getOrDefault(kind.attribute(), List.of())) {
                    put(all, kind, value);
                }
            }
        } catch (FollowException e) {
            // What is missing is told all the same.
            LOG.warn("{}: the schema of {} cannot be read: {}", settings.suffix().line(), settings.provider(), e.getMessage());
        }
        return all;
    }

    /** One that cannot be read is as if it were not there. */
    private void put(Map<Missing, Definition> all, DefinitionKind kind, byte[] value) {
        String text = Utf8.decodeOrNull(value);
        if (text == null) {
            return;
        }
        try {
            Definition definition = DefinitionParser.parse(kind, settings.provider(), text);
            all.put(new Missing(kind, definition.oid().toLowerCase(Locale.ROOT)), definition);
            definition.names().forEach(name -> all.put(new Missing(kind, name.toLowerCase(Locale.ROOT)), definition));
        } catch (StoreException e) {
            LOG.debug("a definition of {} that cannot be read", settings.provider(), e);
        }
    }
}
