package org.alder.perf.stress;

import java.util.ArrayDeque;

/**
 * What a worker's subtree was, one fingerprint for each state it went through, so that who has read it meanwhile can tell whether
 * that was one of them. Thread safe.
 */
final class Versions {
    private static final int KEPT = 200_000;

    private final ArrayDeque<Long> fingerprints = new ArrayDeque<>();
    private long dropped;
    private boolean isOffered;

    Versions(long fingerprint) {
        fingerprints.add(fingerprint);
    }

    /** A request is about to be sent that leads there if it succeeds: from now on who reads may see it. */
    synchronized void offer(long fingerprint) {
        fingerprints.add(fingerprint);
        isOffered = true;
        if (fingerprints.size() > KEPT) {
            fingerprints.remove();
            dropped++;
        }
    }

    /** The answer to what was offered is there. */
    synchronized void settle(boolean isDone) {
        if (!isDone && isOffered) {
            fingerprints.removeLast();
        }
        isOffered = false;
    }

    /** The number of the newest state that is acknowledged: who begins to read now sees it or a later one. */
    synchronized long acknowledged() {
        return dropped + fingerprints.size() - (isOffered ? 2 : 1);
    }

    /** Whether it was like that at some time from that state on; true where that is not known any more. */
    synchronized boolean contains(long from, long fingerprint) {
        if (from < dropped) {
            return true;
        }
        return fingerprints.stream().skip(from - dropped).anyMatch(each -> each == fingerprint);
    }
}
