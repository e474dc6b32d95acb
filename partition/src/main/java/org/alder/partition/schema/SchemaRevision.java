package org.alder.partition.schema;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.alder.partition.schema.definition.Definition;
import org.alder.partition.schema.definition.DefinitionKind;
import org.alder.partition.schema.definition.DefinitionOrigin;
import org.alder.partition.schema.definition.OnlineSchemaFile;
import org.alder.partition.schema.value.MatchingRule;
import org.alder.partition.schema.value.Syntax;

/**
 * A schema that is whole and closed, but not yet adopted: first its caller sees to it that no entry and no index is in the way.
 * Nothing but {@link #adopt} changes anything. One thread.
 */
public final class SchemaRevision {
    /** What becomes of a definition that is not there any more. */
    public static final String DELETED = "deleted";

    private final Schema schema;
    private final SchemaTables before;
    private final SchemaBuilder builder;
    private final Map<AttributeType, String> unusedTypes = new LinkedHashMap<>();
    private final Map<AttributeType, String> unindexedTypes = new LinkedHashMap<>();
    private final Map<ObjectClass, String> unusedClasses = new LinkedHashMap<>();
    private final Map<String, String> otherwiseRead = new LinkedHashMap<>();
    private final ContentRevision content;

    SchemaRevision(Schema schema, SchemaTables before, SchemaBuilder builder) {
        this.schema = schema;
        this.before = before;
        this.builder = builder;
        before.attributeTypes.forEach(this::compare);
        before.objectClasses.forEach(this::compare);
        compareNames();
        content = new ContentRevision(before, builder);
    }

    /** The types that no entry may have and no name may be made of, each with what becomes of it. */
    public Map<AttributeType, String> unusedTypes() {
        return unusedTypes;
    }

    /** The types that no index may be of, which are those of {@link #unusedTypes} and more. */
    public Map<AttributeType, String> unindexedTypes() {
        return unindexedTypes;
    }

    /** The classes that no entry may be of. */
    public Map<ObjectClass, String> unusedClasses() {
        return unusedClasses;
    }

    /**
     * The names that objectIdentifierMatch and its kin will read otherwise than now, because something gets or loses them: by the
     * normal form that they have now.
     */
    public Map<String, String> otherwiseRead() {
        return otherwiseRead;
    }

    /** Whether something is taken away or changed that an entry may depend on. */
    public boolean concernsEntries() {
        return !unusedTypes.isEmpty() || !unusedClasses.isEmpty() || changesContentRules() || changesNaming();
    }

    /** Whether a content rule is taken away, or says something else. */
    public boolean changesContentRules() {
        return !content.isEmpty();
    }

    /**
     * What its structural class's changed content rule says against an entry that is right now; null if nothing.
     *
     * @param classes those the entry has
     * @param types those of its attributes
     */
    public String contentViolation(List<ObjectClass> classes, Set<AttributeType> types) {
        return content.violation(classes, types);
    }

    /** Whether a name form or structure rule is taken away, or says something else. */
    public boolean changesNaming() {
        return before.definitions.stream()
                .filter(old -> old.kind() == DefinitionKind.NAME_FORM || old.kind() == DefinitionKind.STRUCTURE_RULE)
                .anyMatch(old -> builder.definitions().stream().noneMatch(made -> made.kind() == old.kind() && made.means(old)));
    }

    /** The name forms and structure rules there will be. */
    public NamingRules namingRules() {
        return builder.namingRules();
    }

    /** The file of the definitions that are added online; reading it again gives the same. */
    public byte[] onlineFile() {
        return onlineFile(builder.definitions());
    }

    /** The same as it was before this revision. */
    public byte[] onlineFileBefore() {
        return onlineFile(before.definitions);
    }

    private static byte[] onlineFile(List<Definition> definitions) {
        return OnlineSchemaFile.encode(definitions.stream()
                .filter(definition -> definition.origin().layer() == DefinitionOrigin.Layer.ONLINE).toList());
    }

    /**
     * Makes it the schema. No entry may be changed meanwhile.
     *
     * @throws IllegalStateException if another revision was adopted since the edit was begun
     */
    public void adopt() {
        schema.adopt(before, builder);
    }

    private void compare(AttributeType type) {
        SchemaBuilder.TypeDraft draft = builder.types.get(type.oid());
        String change = draft == null ? DELETED : change(type.facts(), draft.facts());
        if (change != null) {
            unusedTypes.put(type, change);
            unindexedTypes.put(type, change);
        } else if (!same(type.facts().rules().ordering(), draft.facts().rules().ordering())
                || !same(type.facts().rules().substring(), draft.facts().rules().substring())) {
            unindexedTypes.put(type, "given other matching rules");
        }
    }

    /** What stored values or their normal forms would not survive; null if there is nothing. */
    private String change(AttributeType.Facts old, AttributeType.Facts made) {
        if (!keepsNames(old.definition(), made.definition())
                || !old.definition().primaryName().equalsIgnoreCase(made.definition().primaryName())) {
            return "given other names";
        } else if (old.superior() != made.superior()) {
            return "given another supertype";
        } else if (!same(old.rules().equality(), made.rules().equality())) {
            return "given another equality rule";
        } else if (!old.syntax().oid().equals(made.syntax().oid()) || !keepsSyntax(old.syntax())) {
            return "given another syntax";
        } else if (made.isSingleValue() && !old.isSingleValue()) {
            return "made SINGLE-VALUE";
        }
        return old.isOperational() != made.isOperational()
                || old.definition().has("COLLECTIVE") != made.definition().has("COLLECTIVE") ? "given another usage" : null;
    }

    private boolean keepsSyntax(Syntax syntax) {
        return Objects.equals(substitute(before.definitions, syntax), substitute(builder.definitions(), syntax));
    }

    private static String substitute(List<Definition> definitions, Syntax syntax) {
        return definitions.stream().filter(each -> each.kind() == DefinitionKind.SYNTAX && each.oid().equals(syntax.oid()))
                .map(each -> each.list("X-SUBST").toString()).findFirst().orElse(null);
    }

    private static boolean same(MatchingRule one, MatchingRule other) {
        return one == other;
    }

    private static boolean keepsNames(Definition old, Definition made) {
        TreeSet<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        names.addAll(made.names());
        return names.containsAll(old.names());
    }

    /** A name that nothing has is its own form. */
    private void compareNames() {
        Map<String, String> made = SchemaTables.oids(builder);
        Set<String> names = new TreeSet<>(made.keySet());
        before.definitions.forEach(old -> old.names().forEach(name -> names.add(SchemaBuilder.key(name))));
        for (String name : names) {
            byte[] known = before.oidsByName.get(name);
            String form = known == null ? name : new String(known, StandardCharsets.US_ASCII);
            if (!form.equals(made.getOrDefault(name, name))) {
                otherwiseRead.put(form, name);
            }
        }
    }

    private void compare(ObjectClass objectClass) {
        SchemaBuilder.ClassDraft draft = builder.classes.get(objectClass.oid());
        String change = draft == null ? DELETED : change(objectClass.facts(), draft.facts);
        if (change != null) {
            unusedClasses.put(objectClass, change);
        }
    }

    private static String change(ObjectClass.Facts old, ObjectClass.Facts made) {
        if (!keepsNames(old.definition(), made.definition())) {
            return "given other names";
        } else if (!old.allSuperiors().equals(made.allSuperiors()) || old.kind() != made.kind()
                || old.standsAlone() && !made.standsAlone()) {
            return "given other superclasses or another kind";
        } else if (!old.must().containsAll(made.must())) {
            return "made to require more attributes";
        }
        return old.must().stream().allMatch(type -> made.must().contains(type) || made.may().contains(type))
                && old.may().stream().allMatch(type -> made.must().contains(type) || made.may().contains(type)) ? null
                : "made to allow fewer attributes";
    }
}
