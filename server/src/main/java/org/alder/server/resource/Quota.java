package org.alder.server.resource;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntSupplier;

/** How many of a thing there are, and may be, in all and of each source: address or user. Thread safe. */
public final class Quota {
    private final IntSupplier most;
    private final IntSupplier mostOfSource;
    private final String things;
    private final String key;
    private final String keyOfSource;
    private final Map<Object, Integer> ofSource = new HashMap<>();
    private int all;

    /**
     * @param most asked whenever there is one more, as the next one is
     * @param things what they are called in messages
     * @param key which setting bounds them
     * @param keyOfSource which one bounds those of one source
     */
    public Quota(IntSupplier most, IntSupplier mostOfSource, String things, String key, String keyOfSource) {
        this.most = most;
        this.mostOfSource = mostOfSource;
        this.things = things;
        this.key = key;
        this.keyOfSource = keyOfSource;
    }

    /**
     * Counts one more, which {@link #remove} takes back, unless it gives the reason why that is too many.
     *
     * @param source null if it is not known yet
     */
    public synchronized String add(Object source) {
        if (all >= most.getAsInt()) {
            return "the server has " + all + " " + things + ", as many as it may (" + key + ")";
        }
        String refusal = source == null ? null : addTo(source);
        if (refusal == null) {
            all++;
        }
        return refusal;
    }

    /** Says whose one of those is that were counted without a source, unless that is too many: then it still has none. */
    public synchronized String identify(Object source) {
        return addTo(source);
    }

    /** Takes back {@link #identify} alone. */
    public synchronized void unidentify(Object source) {
        removeFrom(source);
    }

    private void removeFrom(Object source) {
        ofSource.computeIfPresent(source, (key, same) -> same == 1 ? null : same - 1);
    }

    private String addTo(Object source) {
        int same = ofSource.getOrDefault(source, 0);
        if (same >= mostOfSource.getAsInt()) {
            return "the server has " + same + " " + things + " with " + shown(source) + ", as many as it may with one ("
                    + keyOfSource + ")";
        }
        ofSource.put(source, same + 1);
        return null;
    }

    private static String shown(Object source) {
        return source instanceof InetAddress address ? address.getHostAddress() : source.toString();
    }

    /** @param source what it was counted with, or null */
    public synchronized void remove(Object source) {
        all--;
        if (source != null) {
            removeFrom(source);
        }
    }

    public synchronized int count() {
        return all;
    }
}
