package org.alder.perf.stress;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** From one start of the server to its end: what all who use it meanwhile have to know. Thread safe. */
final class Round {
    private final ReadWriteLock gate = new ReentrantReadWriteLock(true);
    private final AtomicReference<DifferenceException> difference = new AtomicReference<>();
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile boolean isEnding;
    private volatile boolean mayRefuse;

    /** Held for one operation of a worker; to be unlocked. */
    Lock lockToWork() {
        gate.readLock().lock();
        return gate.readLock();
    }

    /** While it is held nobody works, and no request is on its way. */
    Lock lockToCompare() {
        gate.writeLock().lock();
        return gate.writeLock();
    }

    /** Whether the server may refuse updates because its disk is full. */
    boolean mayRefuse() {
        return mayRefuse || isEnding;
    }

    void setMayRefuse(boolean may) {
        mayRefuse = may;
    }

    /** From now on connections may break. */
    void end() {
        isEnding = true;
    }

    /** Everybody stops at the next opportunity. */
    void finish() {
        isEnding = true;
        over.countDown();
    }

    boolean isOver() {
        return over.getCount() == 0;
    }

    /** Waits, but not beyond the end. @return whether it is over */
    boolean sleep(long millis) throws InterruptedException {
        return over.await(millis, TimeUnit.MILLISECONDS);
    }

    void connectionBroke(IOException e) {
        if (!isEnding) {
            differs(new DifferenceException("the server broke a connection, or its answer could not be read: " + e));
        }
    }

    /** The first one counts, and ends the round. */
    void differs(DifferenceException found) {
        difference.compareAndSet(null, found);
        finish();
    }

    /** @throws DifferenceException if somebody found a difference */
    void check() throws DifferenceException {
        DifferenceException found = difference.get();
        if (found != null) {
            throw found;
        }
    }
}
