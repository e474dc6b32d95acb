package org.alder.partition.bookkeeper.invite;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.stream.Stream;
import org.alder.partition.bookkeeper.member.MemberKeys;
import org.alder.partition.bookkeeper.zookeeper.Deadline;
import org.alder.partition.bookkeeper.zookeeper.ZooKeeperSession;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.ClusterService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Both ends of an invitation: whoever invites, and the machine that comes. Stateless. */
public final class Invitations {
    private static final Logger LOG = LoggerFactory.getLogger(Invitations.class);
    /** So long is asked again where no answer came, or a member's ZooKeeper does not know yet what another one's does. */
    private static final int ASK_MILLIS = 5_000;
    private static final int PAUSE_MILLIS = 500;

    private Invitations() {
    }

    /**
     * @param file    of any member, whose keys these are
     * @param keys    null where members speak without TLS
     * @param session with the cluster's ZooKeeper
     */
    public static ClusterService.Invitation invite(Path file, MemberKeys keys, ClusterService.Newcomer newcomer, ZooKeeperSession session, Deadline deadline)
            throws IOException {
        NewMember made = NewMember.of(file, keys, newcomer);
        JoinToken token = JoinToken.random();
        Instant ends = Instant.now().truncatedTo(ChronoUnit.SECONDS).plus(Duration.ofMinutes(newcomer.minutes()));
        new InvitationNodes(session).put(token.id(), newcomer.name(), SealedText.seal(token, ends, made.files().text()), deadline);
        return new ClusterService.Invitation(token.text(), ends, made.advice());
    }

    /** Where the file is with which the machine joins. */
    public static Path file(Path folder) {
        return folder.resolve(MemberFiles.CLUSTER_FILE);
    }

    /** See {@link ClusterService#accept}. */
    public static Path accept(Path folder, String text, ClusterService.Asking asked) throws IOException {
        Path file = file(folder);
        if (Files.exists(file)) {
            return file;
        }
        requireEmpty(folder);
        JoinToken token = JoinToken.parse(text);
        byte[] asker = JoinToken.randomBytes(InvitationRequest.ASKER_BYTES);
        byte[] sealed = ask(asked, new InvitationRequest(false, token.id(), asker));
        if (sealed == null) {
            throw new IOException("the server has answered without an invitation");
        }
        MemberFiles.parse(SealedText.open(token, sealed, Instant.now())).write(folder);
        try {
            ask(asked, new InvitationRequest(true, token.id(), asker));
        } catch (IOException e) {
            LOG.warn("The invitation was taken, but the server could not be told ({}): it is of no use to anybody else, and is removed when it ends, at {}", e.getMessage(),
                    SealedText.ends(sealed));
        }
        LOG.info("The invitation was taken: {} has what this member was given", file);
        return file;
    }

    /** What a member has of its own must not get another name. */
    private static void requireEmpty(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (Stream<Path> all = Files.list(folder)) {
            Path other = all.filter(each -> !each.getFileName().toString().equals(MemberFiles.KEYS)
                    && !each.getFileName().toString().startsWith(MemberFiles.CLUSTER_FILE)).findFirst().orElse(null);
            if (other != null) {
                throw new StoreException(StoreException.Kind.REFUSED, other + " is there already, so this folder was a member's before: a machine that joins by an"
                        + " invitation begins with an empty data folder; start it with --cluster FILE if it is the same member");
            }
        }
    }

    private static byte[] ask(ClusterService.Asking asked, InvitationRequest request) throws IOException {
        Deadline deadline = Deadline.in(ASK_MILLIS);
        while (true) {
            try {
                return asked.ask(request.bytes());
            } catch (InterruptedIOException e) {
                throw e;
            } catch (IOException e) {
                if (deadline.isOver()) {
                    throw e;
                }
            }
            Deadline pause = Deadline.in(PAUSE_MILLIS);
            while (!pause.isOver()) {
                pause.pause();
            }
        }
    }
}
