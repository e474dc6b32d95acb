package org.alder.partition.tree;

import java.util.ArrayList;
import java.util.List;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.schema.ObjectClass;
import org.alder.partition.schema.Schema;
import org.alder.partition.schema.SubtreeForm;

/** Which entries below an administrative point are meant (RFC 3672 2.1). Immutable, thread safe. */
public final class SubtreeSpecification {
    private final SubtreeForm form;
    private final Dn base;
    private final List<Dn> chopBefore;
    private final List<Dn> chopAfter;

    private SubtreeSpecification(Schema schema, Dn point, SubtreeForm form) throws DirectoryException {
        this.form = form;
        this.base = below(schema, point, form.base());
        this.chopBefore = below(schema, base, form.chopBefore());
        this.chopAfter = below(schema, base, form.chopAfter());
    }

    /**
     * @param point the administrative point: the entry above the subentry
     * @throws DirectoryException invalidAttributeSyntax
     */
    public static SubtreeSpecification parse(Schema schema, Dn point, byte[] value) throws DirectoryException {
        return new SubtreeSpecification(schema, point, SubtreeForm.parse(schema, value));
    }

    private static List<Dn> below(Schema schema, Dn above, List<String> locals) throws DirectoryException {
        List<Dn> names = new ArrayList<>();
        for (String local : locals) {
            names.add(below(schema, above, local));
        }
        return List.copyOf(names);
    }

    private static Dn below(Schema schema, Dn above, String local) throws DirectoryException {
        return local.isBlank() ? above : Dn.parse(schema, above.isRoot() ? local : local + "," + above.text());
    }

    /** The entry at the top of the subtree. */
    public Dn base() {
        return base;
    }

    /** @param classes those the entry lists */
    public boolean holds(Dn dn, List<ObjectClass> classes) {
        int depth = dn.size() - base.size();
        return depth >= form.minimum() && depth <= form.maximum() && dn.isDescendantOrSelf(base)
                && chopBefore.stream().noneMatch(dn::isDescendantOrSelf)
                && chopAfter.stream().noneMatch(chop -> dn.size() > chop.size() && dn.isDescendantOrSelf(chop))
                && form.refinement().test(classes);
    }
}
