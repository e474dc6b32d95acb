package org.alder.partition.bookkeeper.bookie;

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.alder.partition.bookkeeper.member.MemberKeys;
import org.alder.partition.bookkeeper.zookeeper.Deadline;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A bookie that is started again when it has ended itself, as it does where its journal cannot be written: a full disk that has room again would else leave the log
 * with a bookie less until the process is restarted, and two of them without one that takes anything. Thread safe; whoever starts it closes it.
 */
public final class LastingBookie implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(LastingBookie.class);
    private static final long LOOK_MILLIS = 1_000;

    private final EmbeddedBookie.Place place;
    private final String zooKeeper;
    private final int sessionMillis;
    private final MemberKeys keys;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread;
    /** Null where the last start failed. Written by the thread alone once that runs. */
    private volatile EmbeddedBookie bookie;

    private LastingBookie(EmbeddedBookie.Place place, String zooKeeper, int sessionMillis, MemberKeys keys) throws IOException {
        this.place = place;
        this.zooKeeper = zooKeeper;
        this.sessionMillis = sessionMillis;
        this.keys = keys;
        this.bookie = EmbeddedBookie.start(place, zooKeeper, sessionMillis, keys);
        this.thread = new Thread(this::run, "bookie-" + place.name());
        thread.setDaemon(true);
    }

    /** As {@link EmbeddedBookie#start}, which says what fails. */
    public static LastingBookie start(EmbeddedBookie.Place place, String zooKeeper, int sessionMillis, MemberKeys keys) throws IOException {
        LastingBookie lasting = new LastingBookie(place, zooKeeper, sessionMillis, keys);
        lasting.thread.start();
        return lasting;
    }

    /** The one that runs, or ran last; null where none could be started. */
    EmbeddedBookie bookie() {
        return bookie;
    }

    private void run() {
        boolean isTold = false;
        try {
            while (!closing.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                EmbeddedBookie now = bookie;
                if (now == null || !now.isRunning()) {
                    if (!isTold) {
                        LOG.error("The bookie {} has ended itself; it is started again as soon as that is possible. The log has a copy less until then",
                                place.name());
                    }
                    isTold = !restart(now);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether it runs. */
    private boolean restart(EmbeddedBookie ended) {
        try {
            bookie = null;
            if (ended != null) {
                ended.close();
            }
            bookie = EmbeddedBookie.start(place, zooKeeper, sessionMillis, keys);
            LOG.info("The bookie {} takes entries again", place.name());
            return true;
        } catch (IOException | RuntimeException e) {
            LOG.debug("The bookie {} cannot be started again yet", place.name(), e);
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        closing.countDown();
        // It may wait for ZooKeeper.
        thread.interrupt();
        Deadline.join(thread);
        if (bookie != null) {
            bookie.close();
        }
    }
}
