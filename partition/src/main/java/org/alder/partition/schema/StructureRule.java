package org.alder.partition.schema;

import java.util.Set;

/**
 * Below which entries those that are named by a form may stand (RFC 4512 4.1.7.1). Immutable, thread safe.
 *
 * @param superiors the numbers of the rules that may govern the entry above; none means that the entry is the uppermost that
 *     rules
 *     govern
 */
public record StructureRule(int number, String name, NameForm form, Set<Integer> superiors) {
    @Override
    public String toString() {
        return number + (name == null ? "" : " (" + name + ')');
    }
}
