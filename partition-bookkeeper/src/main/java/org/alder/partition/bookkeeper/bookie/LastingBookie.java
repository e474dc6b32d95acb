package org.alder.partition.bookkeeper.bookie;

import java.io.Closeable;
import java.io.IOException;
import org.alder.partition.bookkeeper.member.MemberKeys;
import org.alder.partition.bookkeeper.zookeeper.Restarting;

/**
 * A bookie that is started again when it has ended itself, as it does where its journal cannot be written: a full disk that has room again would else leave the log
 * with a bookie less until the process is restarted, and two of them without one that takes anything. Thread safe; whoever starts it closes it.
 */
public final class LastingBookie implements Closeable {
    private static final long LOOK_MILLIS = 1_000;

    private final EmbeddedBookie.Place place;
    private final String zooKeeper;
    private final int sessionMillis;
    private final MemberKeys keys;
    private final Restarting restarting;
    /** Null where the last start failed. Written by whoever starts it again alone once that looks. */
    private volatile EmbeddedBookie bookie;

    private LastingBookie(EmbeddedBookie.Place place, String zooKeeper, int sessionMillis, MemberKeys keys) throws IOException {
        this.place = place;
        this.zooKeeper = zooKeeper;
        this.sessionMillis = sessionMillis;
        this.keys = keys;
        this.bookie = EmbeddedBookie.start(place, zooKeeper, sessionMillis, keys);
        this.restarting = Restarting.watch(new Restarting.Words("The bookie " + place.name()
                + " has ended itself; it is started again as soon as that is possible. The log has a copy less until then", "The bookie " + place.name() + " takes entries again"),
                LOOK_MILLIS, this::isRunning, this::restart, "bookie-" + place.name());
    }

    /** As {@link EmbeddedBookie#start}, which says what fails. */
    public static LastingBookie start(EmbeddedBookie.Place place, String zooKeeper, int sessionMillis, MemberKeys keys) throws IOException {
        return new LastingBookie(place, zooKeeper, sessionMillis, keys);
    }

    /** The one that runs, or ran last; null where none could be started. */
    EmbeddedBookie bookie() {
        return bookie;
    }

    private boolean isRunning() {
        EmbeddedBookie now = bookie;
        return now != null && now.isRunning();
    }

    private void restart() throws IOException {
        EmbeddedBookie ended = bookie;
        bookie = null;
        if (ended != null) {
            ended.close();
        }
        bookie = EmbeddedBookie.start(place, zooKeeper, sessionMillis, keys);
    }

    @Override
    public void close() throws IOException {
        restarting.close();
        if (bookie != null) {
            bookie.close();
        }
    }
}
