package org.alder.partition.schema;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;

/** What one combination of object classes says about an entry (RFC 4512 2.4). Immutable, thread safe. */
final class ClassSet {
    private static final String COLLECTIVE_SUBENTRY = "2.5.17.2";

    private final Set<ObjectClass> classes = new LinkedHashSet<>();
    private final Set<AttributeType> must = new LinkedHashSet<>();
    private final Set<AttributeType> allowed = new HashSet<>();
    private final ObjectClass structural;
    private final boolean isExtensible;

    private final ContentRule rule;

    /**
     * @param rules the content rule of a structural class, or null
     * @throws DirectoryException objectClassViolation unless there is exactly one chain of structural classes, and only auxiliary
     *     classes that the content rule allows
     */
    ClassSet(List<ObjectClass> listed, Function<ObjectClass, ContentRule> rules) throws DirectoryException {
        ObjectClass named = structural(listed, objectClass -> objectClass.kind() == ObjectClass.Kind.STRUCTURAL);
        structural = named != null ? named : structural(listed, ObjectClass::standsAlone);
        if (structural == null) {
            throw violation("no structural object class among " + listed);
        }
        rule = rules.apply(structural);
        for (ObjectClass objectClass : listed) {
            classes.add(objectClass);
            must.addAll(objectClass.must());
            allowed.addAll(objectClass.must());
            allowed.addAll(objectClass.may());
        }
        if (rule != null) {
            requireAuxiliaries();
            must.addAll(rule.must());
            allowed.addAll(rule.must());
            allowed.addAll(rule.may());
        }
        isExtensible = classes.stream().anyMatch(ObjectClass::allowsAllUserAttributes);
    }

    /** The lowest of those classes; null if there is none. */
    private static ObjectClass structural(List<ObjectClass> listed, Predicate<ObjectClass> isOne) throws DirectoryException {
        ObjectClass deepest = null;
        for (ObjectClass objectClass : listed) {
            if (!isOne.test(objectClass)) {
                continue;
            }
            if (deepest == null || objectClass.isSubclassOf(deepest)) {
                deepest = objectClass;
            } else if (!deepest.isSubclassOf(objectClass)) {
                throw violation("the structural object classes " + deepest + " and " + objectClass + " are not in one chain");
            }
        }
        return deepest;
    }

    private void requireAuxiliaries() throws DirectoryException {
        for (ObjectClass objectClass : classes) {
            if (objectClass.kind() == ObjectClass.Kind.AUXILIARY
                    && rule.auxiliaries().stream().noneMatch(allowedClass -> allowedClass.isSubclassOf(objectClass))) {
                throw violation("the content rule " + rule + " of the object class " + structural
                        + " does not allow the auxiliary class " + objectClass);
            }
        }
    }

    ObjectClass structural() {
        return structural;
    }

    void checkAllowed(AttributeType type, String description) throws DirectoryException {
        if (rule != null && rule.not().contains(type)) {
            throw violation("the content rule " + rule + " of the object class " + structural + " forbids the attribute "
                    + description);
        }
        if (type.isCollective()) {
            checkCollective(description);
            return;
        }
        if (!allowed.contains(type) && !isExtensible && !type.isOperational()) {
            throw violation("the attribute " + description + " is not allowed by the object classes " + classes);
        }
    }

    /** RFC 3671 2: they stand in subentries and nowhere else. */
    private void checkCollective(String description) throws DirectoryException {
        if (classes.stream().noneMatch(objectClass -> objectClass.oid().equals(COLLECTIVE_SUBENTRY))) {
            throw violation("the attribute " + description
                    + " is collective: only entries of the class collectiveAttributeSubentry have it");
        }
    }

    /**
     * Every required type must be there, with whatever options.
     *
     * @param present may have gaps and repetitions. An entry has few types and its classes require fewer, so it is searched
     */
    void checkRequired(AttributeType[] present) throws DirectoryException {
        for (AttributeType type : must) {
            if (!contains(present, type)) {
                String demanding = classes.stream().filter(one -> one.must().contains(type)).findFirst()
                        .map(one -> "object class " + one).orElse("content rule " + rule);
                throw violation("the " + demanding + " requires the attribute " + type);
            }
        }
    }

    private static boolean contains(AttributeType[] types, AttributeType sought) {
        for (AttributeType type : types) {
            if (type == sought) {
                return true;
            }
        }
        return false;
    }

    static DirectoryException violation(String what) {
        return new DirectoryException(ResultCode.OBJECT_CLASS_VIOLATION, what);
    }
}
