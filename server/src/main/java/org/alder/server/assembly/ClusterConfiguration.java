package org.alder.server.assembly;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.store.SharedConfiguration;
import org.alder.partition.store.SharedConfiguration.Version;
import org.alder.server.config.ConfigurationException;
import org.alder.server.config.ConfigurationReader;
import org.alder.server.config.ConfigurationText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a member of a cluster is configured with in common with the others: the version of it by which it goes, from its start on, and a
 * thread that looks whether others have made newer ones. A change is made by whoever is asked for it, if it knows the newest version.
 * Thread safe, but changes are one after another.
 */
public final class ClusterConfiguration implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterConfiguration.class);
    private static final long LOOK_MILLIS = 300;
    /** All entries may be looked at each time. */
    private static final long RETRY_MILLIS = 5000;
    private static final long CLOSE_MILLIS = 10_000;

    private final SharedConfiguration shared;
    private final String member;
    private final IntSupplier level;
    private final CountDownLatch closing = new CountDownLatch(1);
    /** Null while the cluster has nothing in common. */
    private volatile Version adopted;
    private volatile String hindrance;
    private Thread thread;

    /** How a change is written. */
    @FunctionalInterface
    interface Writing {
        void write() throws IOException, ConfigurationException, DirectoryException;
    }

    /** @param member the name of this one  @param level of the cluster: what members with an older build do not know they cannot have in common */
    public ClusterConfiguration(SharedConfiguration shared, String member, IntSupplier level) {
        this.shared = shared;
        this.member = member;
        this.level = level;
    }

    /**
     * Takes what the cluster has, before anything is opened by it. Where it has nothing yet, it has what this member says from now on.
     *
     * @param own what this member is configured with
     * @return the same with what the cluster has
     * @throws ConfigurationException where this member cannot go by that
     * @throws IOException            where the cluster does not answer
     */
    public ConfigurationText begin(ConfigurationText own) throws ConfigurationException, IOException {
        Version newest = shared.newest();
        ConfigurationText common = text(newest);
        while (own.addsTo(common)) {
            String tooNew = tooNew(own);
            if (tooNew != null) {
                throw new ConfigurationException(tooNew);
            }
            Version made = new Version(number(newest) + 1, member, (common == null ? own : own.sharing(common)).shared(common));
            if (shared.publish(made)) {
                LOG.info("version {} of the cluster's configuration has what this member was configured with{}", made.number(),
                        common == null ? "" : ", of partitions of which it had nothing");
            }
            newest = shared.newest();
            common = text(newest);
        }
        adopted = newest;
        ConfigurationText taken = common == null ? own : own.sharing(common);
        taken.configuration();
        return taken;
    }

    /** Why members with an older build could not go by what is said; null where they could. */
    private String tooNew(ConfigurationText said) {
        String keys = said.newerThan(level.getAsInt());
        return keys == null ? null : "the cluster has feature level " + level.getAsInt() + ", at which its members cannot have in common: " + keys
                + ". When all of them have a build that knows it, \"cluster upgrade\" raises the level";
    }

    /**
     * Writes what a member goes by where its folder says something else, which goes into the history.
     *
     * @param taken what {@link #begin} has returned
     */
    public void keep(ConfigurationText taken, StoredConfiguration stored) throws ConfigurationException, IOException {
        ConfigurationText had = stored.read();
        ConfigurationText has = taken.with(List.of()).absolute();
        if (had.fingerprint().equals(has.fingerprint())) {
            return;
        }
        Map<String, List<String>> differences = had.configuration().differences(has.configuration());
        stored.change(had.configuration().ldif(), has.configuration().ldif(), Instant.now().truncatedTo(ChronoUnit.SECONDS) + " the start: "
                + label(adopted) + ": " + differences);
        LOG.warn("{} goes before what {} said, which is in {} now: {}", label(adopted), stored.data().configuration(),
                stored.history().get(0).file(), differences);
    }

    private static String label(Version version) {
        return "version " + number(version) + " of the cluster's configuration";
    }

    private static long number(Version version) {
        return version == null ? 0 : version.number();
    }

    /** Null for null. */
    private static ConfigurationText text(Version version) throws ConfigurationException {
        return version == null ? null : ConfigurationReader.text(Path.of(label(version)), version.settings());
    }

    /** What a member that has this goes by when it takes a version. */
    static ConfigurationText taken(ConfigurationText own, Version version) throws ConfigurationException {
        return own.sharing(text(version));
    }

    /** The one behind that by which this member goes; null where there is none. */
    Version next() throws DirectoryException {
        try {
            return shared.next(number(adopted));
        } catch (IOException e) {
            throw unanswered(e);
        }
    }

    /** The newest one; null where this member goes by it, or there is none. */
    Version newest() throws DirectoryException {
        try {
            Version newest = shared.newest();
            return number(newest) > number(adopted) ? newest : null;
        } catch (IOException e) {
            throw unanswered(e);
        }
    }

    private static DirectoryException unanswered(IOException cause) {
        return new DirectoryException(ResultCode.UNAVAILABLE, "nothing was changed: what this changes is the same on all members of the cluster,"
                + " which does not answer: " + cause.getMessage());
    }

    /** This member goes by it now. */
    void adopted(Version version) {
        adopted = version;
        hindrance = null;
        shared.hindered(null);
    }

    /** This member cannot go by it, and goes on as before. */
    void hinderedBy(Version version, Exception why) {
        String text = "this member cannot go by " + label(version) + ", and goes on by version " + number(adopted) + ": " + why.getMessage();
        if (!text.equals(hindrance) && closing.getCount() > 0) {
            LOG.warn(text);
        }
        hindrance = text;
        shared.hindered(text);
    }

    /** Why this member does not go by the newest version; null where nothing is in the way. */
    String hindrance() {
        return hindrance;
    }

    /** Whether a change is one of what members have in common. */
    boolean isConcerned(ConfigurationText now, ConfigurationText then) throws ConfigurationException {
        ConfigurationText common = text(adopted);
        return !Arrays.equals(now.shared(common), then.shared(common));
    }

    /**
     * Makes a version of a change that this member has checked, where it is one of what members have in common, and has it written here.
     *
     * @throws DirectoryException where another member was faster: nothing was done; or where nobody knows
     */
    void make(ConfigurationText now, ConfigurationText then, Writing writing) throws IOException, ConfigurationException, DirectoryException {
        if (!isConcerned(now, then)) {
            writing.write();
            return;
        }
        String tooNew = tooNew(then);
        if (tooNew != null) {
            throw new DirectoryException(ResultCode.UNWILLING_TO_PERFORM, "nothing was changed: " + tooNew);
        }
        Version version = new Version(number(adopted) + 1, member, then.shared(text(adopted)));
        publish(version);
        try {
            writing.write();
        } catch (IOException e) {
            throw new IOException(e.getMessage() + "; all other members take it as " + label(version) + ", and this one when it can be written", e);
        }
        adopted(version);
        LOG.info("the change is {}, which all members take", label(version));
    }

    private void publish(Version version) throws DirectoryException {
        boolean isMade;
        try {
            isMade = shared.publish(version);
        } catch (IOException e) {
            throw new DirectoryException(ResultCode.UNAVAILABLE, "nobody knows whether the change was made, as the cluster does not answer ("
                    + e.getMessage() + "); where it was, all members take it: read the configuration when it answers again");
        }
        if (!isMade) {
            throw new DirectoryException(ResultCode.BUSY, "another member has changed the configuration at the same time; nothing was done: try again");
        }
    }

    /** Looks for newer versions from now on. @param take is called where there is one, and returns when that is taken or cannot be */
    synchronized void follow(Runnable take) {
        thread = new Thread(() -> look(take), "alder-cluster-configuration");
        thread.setDaemon(true);
        thread.start();
    }

    private void look(Runnable take) {
        try {
            while (!closing.await(hindrance == null ? LOOK_MILLIS : RETRY_MILLIS, TimeUnit.MILLISECONDS)) {
                try {
                    if (shared.next(number(adopted)) != null) {
                        take.run();
                    }
                } catch (IOException | RuntimeException e) {
                    LOG.debug("The configuration of the cluster is looked at again later: {}", e.getMessage());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits a while for a change that is under way. May be closed twice. */
    @Override
    public synchronized void close() {
        closing.countDown();
        try {
            if (thread != null) {
                thread.join(CLOSE_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
