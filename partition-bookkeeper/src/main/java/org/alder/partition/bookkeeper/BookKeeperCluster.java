package org.alder.partition.bookkeeper;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.alder.partition.bookkeeper.ask.AskServer;
import org.alder.partition.bookkeeper.ask.AskedMember;
import org.alder.partition.bookkeeper.bookie.BookieDisk;
import org.alder.partition.bookkeeper.bookie.BookieNodes;
import org.alder.partition.bookkeeper.bookie.EmbeddedBookie;
import org.alder.partition.bookkeeper.bookie.LastingBookie;
import org.alder.partition.bookkeeper.bookie.LostCopies;
import org.alder.partition.bookkeeper.compare.Board;
import org.alder.partition.bookkeeper.compare.Comparing;
import org.alder.partition.bookkeeper.compare.Limits;
import org.alder.partition.bookkeeper.copy.CopyServer;
import org.alder.partition.bookkeeper.copy.Pace;
import org.alder.partition.bookkeeper.distant.DistantStore;
import org.alder.partition.bookkeeper.distant.StoreAnswers;
import org.alder.partition.bookkeeper.election.Election;
import org.alder.partition.bookkeeper.election.ElectionSessions;
import org.alder.partition.bookkeeper.election.MemberState;
import org.alder.partition.bookkeeper.invite.InvitationNodes;
import org.alder.partition.bookkeeper.invite.Invitations;
import org.alder.partition.bookkeeper.level.LevelNode;
import org.alder.partition.bookkeeper.level.ThisBuild;
import org.alder.partition.bookkeeper.log.ClusterSettings;
import org.alder.partition.bookkeeper.log.FlushedNodes;
import org.alder.partition.bookkeeper.log.LogCluster;
import org.alder.partition.bookkeeper.member.ClusterFile.Node;
import org.alder.partition.bookkeeper.member.ClusterFile;
import org.alder.partition.bookkeeper.member.ClusterKeys;
import org.alder.partition.bookkeeper.member.MemberKeys;
import org.alder.partition.bookkeeper.member.MemberSockets;
import org.alder.partition.bookkeeper.roster.AskedMembers;
import org.alder.partition.bookkeeper.roster.MemberNodes;
import org.alder.partition.bookkeeper.roster.PlacementNode;
import org.alder.partition.bookkeeper.zookeeper.Deadline;
import org.alder.partition.bookkeeper.zookeeper.EmbeddedZooKeeper;
import org.alder.partition.bookkeeper.zookeeper.LastingZooKeeper;
import org.alder.partition.bookkeeper.zookeeper.ServingServers;
import org.alder.partition.bookkeeper.zookeeper.ZooKeeperFiles;
import org.alder.partition.bookkeeper.zookeeper.ZooKeeperFounding;
import org.alder.partition.bookkeeper.zookeeper.ZooKeeperSession;
import org.alder.partition.bookkeeper.zookeeper.ZooKeeperTls;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.NotLeaderException;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.backup.StoreCopy;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.jdbm.store.JdbmEngine;
import org.alder.partition.store.ClusterLoading;
import org.alder.partition.store.ClusterService;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.Replica;
import org.alder.partition.store.SharedConfiguration;
import org.alder.partition.store.SharedSchema;
import org.alder.partition.store.Store;
import org.alder.partition.store.StoreEngine;
import org.apache.zookeeper.KeeperException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@link ClusterService} on ZooKeeper and BookKeeper, which run in this process where the file says so. Immutable, thread safe.
 */
public final class BookKeeperCluster implements ClusterService {
    private static final Logger LOG = LoggerFactory.getLogger(BookKeeperCluster.class);
    static final String LOGS = LogCluster.LOGS + "/";
    private static final int TICK_MILLIS = 500;
    private static final int SESSION_MILLIS = 2_000;
    private static final int CONNECT_MILLIS = 120_000;
    private static final double MOST_DISK_FILLED = 0.95;

    private final Build build;

    public BookKeeperCluster() {
        this(ThisBuild.BUILD);
    }

    /** @param build as which this one is known to others */
    BookKeeperCluster(Build build) {
        this.build = build;
    }

    private ClusterSettings settings(ClusterFile file, MemberKeys keys) {
        return ClusterSettings.of(file.zooKeeperAddresses(), keys, build);
    }

    @Override
    public Cluster join(Path file, Path folder) throws IOException {
        ClusterFile read = ClusterFile.read(file);
        Running running = new Running(read, settings(read, keys(read)));
        boolean done = false;
        try {
            running.start(folder);
            done = true;
            return running;
        } finally {
            if (!done) {
                running.close();
            }
        }
    }

    /** Null where members speak without TLS. */
    static MemberKeys keys(ClusterFile file) throws IOException {
        if (file.keys() == null) {
            return null;
        }
        MemberKeys keys = MemberKeys.read(file.keys());
        keys.checkHost(file.own().host());
        return keys;
    }

    /** To be closed when nothing of ZooKeeper is used any more. */
    static Closeable tls(MemberKeys keys) {
        return keys == null ? () -> { } : ZooKeeperTls.use(keys);
    }

    @Override
    public List<Path> makeKeys(Path file, Path folder) throws IOException {
        return ClusterKeys.make(ClusterFile.read(file).members(), folder);
    }

    @Override
    public Status status(Path file, String partition) throws IOException {
        return ask(file, partition, view -> view.members().status(-1));
    }

    @Override
    public void place(Path file, String partition, List<String> members) throws IOException {
        ask(file, partition, view -> {
            view.place(members);
            return null;
        });
    }

    @Override
    public void moveLeader(Path file, String partition, String member) throws IOException {
        ask(file, partition, view -> {
            view.moveLeader(member);
            return null;
        });
    }

    @Override
    public long compare(Path file, String partition) throws IOException {
        return ask(file, partition, ClusterView::compare);
    }

    @Override
    public void forget(Path file, String partition, String member) throws IOException {
        ask(file, partition, view -> {
            view.forget(member);
            return null;
        });
    }

    @Override
    public List<Machine> machines(Path file) throws IOException {
        ClusterFile read = ClusterFile.read(file);
        MemberKeys keys = keys(read);
        try (Closeable tls = tls(keys); ZooKeeperSession session = new ZooKeeperSession(read.zooKeeperAddresses(), SESSION_MILLIS)) {
            Deadline deadline = Deadline.in(settings(read, keys).resolveMillis());
            BookieNodes nodes = new BookieNodes(session);
            List<String> here = nodes.here(deadline);
            Set<String> removed = nodes.removed(deadline);
            List<Machine> machines = new ArrayList<>();
            nodes.all(deadline).forEach((name, bookie) -> {
                String id = BookieNodes.id(name, bookie.number());
                if (!removed.contains(name) || here.contains(id)) {
                    machines.add(new Machine(name, id, here.contains(id), bookie.missing()));
                }
            });
            return machines;
        }
    }

    @Override
    public Map<String, Boolean> zooKeepers(Path file) throws IOException {
        ClusterFile read = ClusterFile.read(file);
        try (Closeable tls = tls(keys(read))) {
            return ServingServers.among(read.zooKeeperOfEach(), SESSION_MILLIS);
        }
    }

    @Override
    public Invitation invite(Path file, Newcomer newcomer) throws IOException {
        ClusterFile read = ClusterFile.read(file);
        MemberKeys keys = keys(read);
        try (Closeable tls = tls(keys); ZooKeeperSession session = new ZooKeeperSession(read.zooKeeperAddresses(), SESSION_MILLIS)) {
            Deadline deadline = Deadline.in(settings(read, keys).resolveMillis());
            new LevelNode(session).require(build, deadline);
            if (new BookieNodes(session).isHere(newcomer.name(), deadline)) {
                throw new StoreException(StoreException.Kind.REFUSED, "the bookie of " + newcomer.name() + " is here, so that member is not gone: give another"
                        + " name, or stop it and wait some seconds");
            }
            return Invitations.invite(file, keys, newcomer, session, deadline);
        }
    }

    @Override
    public Path accept(Path folder, String token, Asking asked) throws IOException {
        return Invitations.accept(folder, token, asked);
    }

    @Override
    public Path accepted(Path folder) {
        return Invitations.file(folder);
    }

    @Override
    public ClusterLoading loading(Path file) throws IOException {
        return new MemberLoading(CommandConnection.open(file, build));
    }

    @Override
    public Removal remove(Path file, String member) throws IOException {
        try (CommandConnection connection = CommandConnection.open(file, build)) {
            return new MemberRemoval(connection.cluster(), member).run(connection.file().copyBytesPerSecond());
        }
    }

    @Override
    public int raiseLevel(Path file) throws IOException {
        try (CommandConnection connection = CommandConnection.open(file, build)) {
            return new ClusterUpgrade(connection.cluster()).run();
        }
    }

    /** What is asked of ZooKeeper. */
    private interface Question<T> {
        T of(ClusterView view) throws IOException;
    }

    private <T> T ask(Path file, String partition, Question<T> question) throws IOException {
        ClusterFile read = ClusterFile.read(file);
        MemberKeys keys = keys(read);
        try (Closeable tls = tls(keys); ClusterView view = new ClusterView(settings(read, keys), LOGS + partition)) {
            return question.of(view);
        }
    }

    /** This process as a member. */
    private static final class Running implements Cluster {
        private final ClusterFile file;
        private final ClusterSettings settings;
        /** The last that was opened is closed first. */
        private final Deque<Closeable> open = new ArrayDeque<>();
        private LogCluster logs;
        private final ElectionSessions elections;
        private final Pace comparePace;
        /** Null where this member gives no copies. */
        private CopyServer copies;
        /** Null where this member takes no updates from others. */
        private AskServer asked;
        private final StoreAnswers answers = new StoreAnswers();
        /** What answers other questions; null while nothing does. */
        private volatile Function<byte[], CompletableFuture<byte[]>> answering;
        /** Those to whom updates can be handed on; null where this member hands none on. */
        private AskedMembers others;

        Running(ClusterFile file, ClusterSettings settings) {
            this.file = file;
            this.settings = settings;
            this.elections = new ElectionSessions(settings, file.name());
            this.comparePace = new Pace(file.compareBytesPerSecond());
        }

        void start(Path folder) throws IOException {
            add(answers);
            add(tls(settings.keys()));
            Node own = file.own();
            if (file.zooKeeper() == null && !own.zooKeeperPorts().isEmpty()) {
                startZooKeeper(folder.resolve("zookeeper"), own);
            }
            enter(own);
            int number = own.bookiePort() > 0 ? startBookie(folder.resolve("bookie"), own) : 0;
            logs = connect();
            add(logs);
            add(elections);
            logs.level().look(Deadline.in(CONNECT_MILLIS));
            if (number > 0) {
                add(LostCopies.start(logs, own.name(), number, file.copyBytesPerSecond()));
            }
            if (own.copyPort() > 0) {
                copies = CopyServer.start(MemberSockets.of(settings.keys()), own.host(), own.copyPort(), file.copyBytesPerSecond());
                add(copies);
            }
            if (own.updatesPort() > 0) {
                asked = AskServer.start(MemberSockets.of(settings.keys()), own.name(), own.host(), own.updatesPort());
                add(asked);
                asked.answerWith(this::answer);
            }
            MemberNodes nodes = new MemberNodes(logs.session());
            nodes.put(own, Deadline.in(CONNECT_MILLIS));
            if (file.updates() == ClusterFile.Updates.FORWARD) {
                others = AskedMembers.start(nodes, file.members(), own.name(), MemberSockets.of(settings.keys()));
                add(others);
            }
        }

        @Override
        public String name() {
            return file.name();
        }

        @Override
        public int level() {
            return logs.level().known();
        }

        @Override
        public CompletableFuture<byte[]> ask(String member, byte[] question) {
            AskedMember other = others == null ? null : others.of(member);
            return other != null ? other.ask(question) : CompletableFuture.failedFuture(new StoreException(StoreException.Kind.NOT_LEADER,
                    "updates are not handed on to " + member + ": its line in the cluster file has no updates=PORT; nothing was done"));
        }

        @Override
        public boolean asks() {
            return others != null;
        }

        @Override
        public long spreadMinutes() {
            return file.spreadMinutes();
        }

        @Override
        public void moveLeader(String partition, String member) throws IOException {
            new ClusterView(logs.session(), settings.resolveMillis(), LOGS + partition).moveLeader(member);
        }

        @Override
        public void answerWith(Function<byte[], CompletableFuture<byte[]>> with) {
            answering = with;
        }

        private CompletableFuture<byte[]> answer(byte[] question) {
            if (StoreAnswers.concerns(question)) {
                return answers.answer(question);
            }
            Function<byte[], CompletableFuture<byte[]>> now = answering;
            return now != null ? now.apply(question) : CompletableFuture.failedFuture(new StoreException(StoreException.Kind.NOT_LEADER, file.name()
                    + " answers nothing now; nothing was done"));
        }

        /** See {@link Election.Refusals}. */
        private StoreException refusal(Election.Leader leader, String message) {
            if (file.updates() == ClusterFile.Updates.UNAVAILABLE) {
                return new NotLeaderException(message, null);
            } else if (file.updates() == ClusterFile.Updates.FORWARD && (leader == null ? !others.isEmpty() : others.of(leader.name()) != null)) {
                return NotLeaderException.handingOn(message, leader == null ? null : leader.name());
            }
            return Election.Refusals.REFERRING.of(leader, message);
        }

        @Override
        public SharedSchema schema() {
            return logs.schema().of(LOGS, file.name());
        }

        @Override
        public SharedConfiguration configuration() {
            return logs.configuration();
        }

        @Override
        public byte[] invitation(byte[] request) throws IOException, DirectoryException {
            return new InvitationNodes(logs.session()).answer(request);
        }

        /** Returns when most of the ensemble is there. */
        private void startZooKeeper(Path folder, Node own) throws IOException {
            List<Node> with = file.members().stream().filter(member -> !member.zooKeeperPorts().isEmpty()).toList();
            List<EmbeddedZooKeeper.Server> servers = new ArrayList<>();
            for (Node member : with) {
                List<Integer> ports = member.zooKeeperPorts();
                servers.add(new EmbeddedZooKeeper.Server(member.host(), ports.get(0), ports.get(1), ports.get(2)));
            }
            List<Node> others = with.stream().filter(member -> member != own).toList();
            if (others.size() > 1) {
                ZooKeeperFiles.setAsideUnreadable(folder);
            }
            try (ZooKeeperFounding founding = ZooKeeperFounding.start(MemberSockets.of(settings.keys()), own, folder)) {
                boolean founds = !ZooKeeperFiles.hasData(folder) && founding.isNew(others, Deadline.in(CONNECT_MILLIS));
                LOG.info("starting ZooKeeper at {}:{}, and waiting for most of the others", own.host(), own.zooKeeperPorts().get(0));
                add(LastingZooKeeper.start(folder, with.indexOf(own) + 1, servers, TICK_MILLIS, founds));
                awaitZooKeeper();
            }
        }

        /** Before anything is written that others read. */
        private void enter(Node own) throws IOException {
            try (ZooKeeperSession session = new ZooKeeperSession(settings.zooKeeper(), SESSION_MILLIS)) {
                new LevelNode(session).enter(own.name(), settings.build(), Deadline.in(CONNECT_MILLIS));
            }
        }

        private void awaitZooKeeper() throws IOException {
            try (ZooKeeperSession session = new ZooKeeperSession(settings.zooKeeper(), SESSION_MILLIS)) {
                session.call(Deadline.in(CONNECT_MILLIS), client -> client.exists("/", false));
            } catch (KeeperException e) {
                throw ZooKeeperSession.refused("/", e);
            }
        }

        /** @return which of this member's bookies it is, from 1 */
        private int startBookie(Path folder, Node own) throws IOException {
            int number;
            try (ZooKeeperSession session = new ZooKeeperSession(settings.zooKeeper(), SESSION_MILLIS)) {
                number = BookieDisk.number(folder, own.name(), session);
            }
            String id = BookieNodes.id(own.name(), number);
            LOG.info("starting the bookie {} at {}:{}", id, own.host(), own.bookiePort());
            add(LastingBookie.start(new EmbeddedBookie.Place(folder, id, own.host(), own.bookiePort(), MOST_DISK_FILLED, false),
                    settings.zooKeeper(), 5 * SESSION_MILLIS, settings.keys()));
            return number;
        }

        /** The first bookie of a new cluster may not have made yet what BookKeeper keeps in ZooKeeper. */
        private LogCluster connect() throws IOException {
            Deadline deadline = Deadline.in(CONNECT_MILLIS);
            while (true) {
                try {
                    return LogCluster.connect(settings);
                } catch (IOException e) {
                    if (deadline.isOver() || Thread.currentThread().isInterrupted()) {
                        throw e;
                    }
                    deadline.pause();
                }
            }
        }

        private synchronized void add(Closeable part) {
            open.push(part);
        }

        @Override
        public StoreEngine sharing(String partition, String suffix, StoreEngine engine) {
            if (!(engine instanceof JdbmEngine jdbm)) {
                throw new StoreException(StoreException.Kind.REFUSED, "the partition " + partition + " has another engine than jdbm, which alone can "
                        + "be shared by the members of a cluster");
            }
            return new SharedEngine(jdbm, new Seats(LOGS + partition, partition, suffix));
        }

        /** Of a partition. */
        private final class Seats implements SharedEngine.Seats {
            private final String path;
            private final String partition;
            private final String suffix;
            private final PlacementNode placement;
            private final ClusterView view;
            /** Of the store that was opened last; null where none is held. */
            private volatile Comparing comparing;

            Seats(String path, String partition, String suffix) {
                this.path = path;
                this.partition = partition;
                this.suffix = suffix;
                this.placement = new PlacementNode(logs.session(), path);
                this.view = new ClusterView(logs.session(), settings.resolveMillis(), path);
                add(this::endComparing);
            }

            private Deadline limit() {
                return Deadline.in(settings.resolveMillis());
            }

            @Override
            public LoadersLog openToLoad() throws IOException {
                return LoadersLog.open(logs, path, file.own());
            }

            /** The election ends before the log is closed, and both when this member leaves. */
            @Override
            public SharedEngine.Seat open() throws IOException {
                Election election = new Election(elections, path, Running.this::refusal, logs.configuration()::hindrance);
                BookKeeperSharedLog log = BookKeeperSharedLog.open(logs, path, file.name(), election);
                add(() -> {
                    election.close();
                    log.close();
                });
                return new SharedEngine.Seat(log, election, file.own().url());
            }

            @Override
            public void copy(Path folder, BookKeeperSharedLog log, Runnable whenFetched) throws IOException {
                new MemberCopy(logs, path, file, MemberSockets.of(settings.keys())).into(folder, log, whenFetched);
            }

            @Override
            public void opened(Path folder, Store store) {
                StoreCopy.removeOutdated(SystemDisk.INSTANCE, folder);
                if (copies != null) {
                    copies.offer(path, folder);
                }
                Board board = new CompareNodes(logs.session(), settings.resolveMillis(), path);
                endComparing();
                comparing = new Comparing(board, file.name(), suffix, store, Limits.every(file.compareMinutes()), comparePace::takeWhole,
                        why -> Differing.found(folder, store, why));
            }

            private void endComparing() {
                Comparing before = comparing;
                comparing = null;
                if (before != null) {
                    closeQuietly(before);
                }
            }

            @Override
            public boolean isHeld() throws IOException {
                List<String> members = placement.members(limit());
                return members == null || members.contains(file.name());
            }

            @Override
            public boolean isHeldBehind(long sequence) throws IOException {
                List<String> members = placement.members(limit());
                Map<String, MemberState> states = view.states(limit());
                return members != null && !members.contains(file.name()) && members.stream().map(states::get)
                        .allMatch(state -> state != null && state.role() != Replica.Role.FAILED && state.sequence() >= sequence);
            }

            @Override
            public DistantStore elsewhere(EntryIndexer indexer) {
                if (others == null) {
                    throw new StoreException(StoreException.Kind.REFUSED, "the cluster has other members hold " + partition + ", and this one cannot ask them: expected"
                            + " \"updates: forward\" in " + file.name() + "'s cluster file, and updates=PORT in the lines of the members");
                }
                return DistantStore.open(new DistantMembers(file.name(), view, others, Running.this::refusal), path, partition, indexer);
            }

            @Override
            public void held(Store store) {
                answers.offer(path, store);
            }

            @Override
            public void close(SharedEngine.Seat seat) throws IOException {
                answers.withdraw(path);
                if (copies != null) {
                    copies.withdraw(path);
                }
                endComparing();
                seat.election().close();
                seat.log().close();
            }

            @Override
            public void left(Path folder) throws IOException {
                LOG.info("Deleting {}, which other members hold", folder);
                SystemDisk.INSTANCE.deleteTree(folder);
                Differing.mended(folder);
                new FlushedNodes(logs.session(), path).remove(file.name(), limit());
            }
        }

        @Override
        public synchronized void close() {
            while (!open.isEmpty()) {
                closeQuietly(open.pop());
            }
        }

        private static void closeQuietly(Closeable part) {
            try {
                part.close();
            } catch (IOException | RuntimeException e) {
                LOG.warn("a part of the cluster could not be closed: {}", e.toString());
            }
        }
    }
}
