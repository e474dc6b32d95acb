package org.alder.server.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.StoreException;
import org.alder.partition.schema.Schema;
import org.alder.server.control.ReadPoint;
import org.alder.server.policy.LoginEvent;

/**
 * What members ask this one, by the kind of the question, which its first byte tells (docs/format/member-questions.md; do not change without a
 * new version). Thread safe.
 */
public final class MemberQuestions {
    private static final int VERSION = 1;
    /** [APPLICATION 1], constructed. */
    private static final int STATE_TAG = 0x61;
    /** How far the partitions are that a member leads for certain. */
    static final byte[] STATE = stateQuestion();

    /** [APPLICATION 2], constructed. */
    private static final int LOGINS_TAG = 0x62;

    /** [APPLICATION 3] and [APPLICATION 4], constructed: of who changes the schema. */
    private static final int HOLD_TAG = 0x63;
    private static final int RELEASE_TAG = 0x64;

    private final ClusterMembers members;
    private final HandedRequests requests;
    private final Schema schema;
    private final Consumer<LoginEvent> logins;
    private final Function<byte[], CompletableFuture<byte[]>> schemaChanges;
    private final ShardAnswers shards;

    /**
     * @param logins        told what logins other members have seen
     * @param schemaChanges answers those who change the schema
     */
    public MemberQuestions(ClusterMembers members, HandedRequests requests, Schema schema, Consumer<LoginEvent> logins,
            Function<byte[], CompletableFuture<byte[]>> schemaChanges) {
        this.members = members;
        this.requests = requests;
        this.schema = schema;
        this.logins = logins;
        this.schemaChanges = schemaChanges;
        this.shards = new ShardAnswers(schema, members::named);
    }

    /** Logins that a member has seen, for the leader to count. */
    static byte[] logins(List<LoginEvent> events) {
        BerWriter out = new BerWriter(256);
        int outer = out.begin(LOGINS_TAG);
        out.integer(BerWriter.INTEGER, VERSION);
        int all = out.begin(BerWriter.SEQUENCE);
        for (LoginEvent each : events) {
            int one = out.begin(BerWriter.SEQUENCE);
            out.integer(BerWriter.INTEGER, each.kind().ordinal());
            out.string(BerWriter.OCTET_STRING, each.dn().text());
            out.end(one);
        }
        out.end(all);
        out.end(outer);
        return out.toByteArray();
    }

    private List<LoginEvent> readLogins(byte[] question) throws BerException {
        BerReader in = new BerReader(question);
        int outer = in.enter(LOGINS_TAG);
        requireVersion(in);
        List<LoginEvent> events = new ArrayList<>();
        int all = in.enter(BerWriter.SEQUENCE);
        while (in.hasMore()) {
            int one = in.enter(BerWriter.SEQUENCE);
            int kind = in.readInt(BerWriter.INTEGER);
            String dn = in.readString(BerWriter.OCTET_STRING);
            in.leaveFully(one);
            if (kind < 0 || kind >= LoginEvent.Kind.values().length || events.size() == HandedLogins.MOST_AT_ONCE) {
                throw new BerException("a login of kind " + kind + ", or more than " + HandedLogins.MOST_AT_ONCE);
            }
            try {
                events.add(new LoginEvent(Dn.parse(schema, dn), LoginEvent.Kind.values()[kind]));
            } catch (DirectoryException e) {
                throw new BerException("a login of \"" + dn + "\", which is no DN");
            }
        }
        in.leave(all);
        in.leaveFully(outer);
        return events;
    }

    private static void requireVersion(BerReader in) throws BerException {
        int version = in.readInt(BerWriter.INTEGER);
        if (version != VERSION) {
            throw new BerException("version " + version + ", expected " + VERSION);
        }
    }

    /** All of one question are in one partition, which is looked at once: what this member does not lead any more by then its ledger keeps. */
    private CompletableFuture<byte[]> loginsAnswer(byte[] question) {
        try {
            List<LoginEvent> events = readLogins(question);
            StoreException refusal = events.isEmpty() ? null : members.refusal(events.get(0).dn());
            if (refusal != null) {
                return CompletableFuture.failedFuture(new StoreException(StoreException.Kind.NOT_LEADER, refusal.getMessage()));
            }
            return CompletableFuture.supplyAsync(() -> {
                events.forEach(logins);
                return new byte[0];
            }, ShardAnswers.LOOKING);
        } catch (BerException e) {
            return CompletableFuture.failedFuture(new StoreException(StoreException.Kind.OUTCOME_UNKNOWN, "logins were told in another way ("
                    + e.getMessage() + "), as by a member of another version; none was counted"));
        }
    }

    private static byte[] stateQuestion() {
        BerWriter out = new BerWriter(8);
        int outer = out.begin(STATE_TAG);
        out.integer(BerWriter.INTEGER, VERSION);
        out.end(outer);
        return out.toByteArray();
    }

    /** What a member has answered to {@link #STATE}. */
    static ReadPoint state(byte[] answer) throws BerException {
        return ReadPoint.read(new BerReader(answer));
    }

    /** Begins to answer, and returns. */
    public CompletableFuture<byte[]> answer(byte[] question) {
        return switch (question.length == 0 ? 0 : question[0]) {
            case STATE_TAG -> stateAnswer(question);
            case LOGINS_TAG -> loginsAnswer(question);
            case HOLD_TAG, RELEASE_TAG -> schemaChanges.apply(question);
            case ValueQuestion.TAG -> shards.values(question);
            case PartQuestion.TAG -> shards.part(question);
            case PartRequest.TAG -> requests.prepare(question);
            case CopyQuestion.TAG -> shards.copy(question);
            default -> requests.answer(question);
        };
    }

    private CompletableFuture<byte[]> stateAnswer(byte[] question) {
        try {
            BerReader in = new BerReader(question);
            int outer = in.enter(STATE_TAG);
            requireVersion(in);
            in.leaveFully(outer);
            BerWriter out = new BerWriter(64);
            members.certain().write(out);
            return CompletableFuture.completedFuture(out.toByteArray());
        } catch (BerException e) {
            return CompletableFuture.failedFuture(new StoreException(StoreException.Kind.OUTCOME_UNKNOWN, "how far this member is was asked in another way ("
                    + e.getMessage() + "), as by a member of another version"));
        }
    }
}
