package org.alder.server.resource;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A queue whose sources take turns, and within a source its subjects: who puts in much delays nobody but himself. One thread.
 *
 * @param <T> what is queued
 */
final class FairQueue<T> {
    /** In the order of their turns, as are the subjects of each. */
    private final Map<Object, Source<T>> sources = new LinkedHashMap<>();
    private int size;

    private static final class Source<T> {
        private final Map<Object, Deque<T>> subjects = new LinkedHashMap<>();
        private int size;
    }

    void add(Object source, Object subject, T element) {
        Source<T> its = sources.computeIfAbsent(source, none -> new Source<>());
        its.subjects.computeIfAbsent(subject, none -> new ArrayDeque<>(1)).add(element);
        its.size++;
        size++;
    }

    /** @return null if there is none */
    T poll() {
        if (size == 0) {
            return null;
        }
        Object source = sources.keySet().iterator().next();
        Source<T> its = sources.remove(source);
        Object subject = its.subjects.keySet().iterator().next();
        Deque<T> elements = its.subjects.remove(subject);
        T element = elements.poll();
        if (!elements.isEmpty()) {
            its.subjects.put(subject, elements);
        }
        its.size--;
        if (its.size > 0) {
            sources.put(source, its);
        }
        size--;
        return element;
    }

    /** @return whether it was there */
    boolean remove(Object source, Object subject, T element) {
        Source<T> its = sources.get(source);
        Deque<T> elements = its == null ? null : its.subjects.get(subject);
        if (elements == null || !elements.remove(element)) {
            return false;
        }
        if (elements.isEmpty()) {
            its.subjects.remove(subject);
        }
        its.size--;
        if (its.size == 0) {
            sources.remove(source);
        }
        size--;
        return true;
    }

    int size() {
        return size;
    }

    /** What this source has in the queue. */
    int size(Object source) {
        Source<T> its = sources.get(source);
        return its == null ? 0 : its.size;
    }
}
