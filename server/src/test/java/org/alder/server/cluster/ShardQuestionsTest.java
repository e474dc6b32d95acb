package org.alder.server.cluster;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.alder.partition.PeerShards.Verdict;
import org.alder.partition.ShardWriters.Prepared;
import org.alder.partition.ber.BerException;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.error.StoreException;
import org.alder.partition.prepared.LockedException;
import org.alder.partition.prepared.TransactionId;
import org.alder.partition.rule.UniqueRule;
import org.alder.partition.rule.UniqueValue;
import org.alder.partition.rule.UniqueValue.Use;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.testing.Seed;
import org.alder.partition.update.Arrival;
import org.alder.server.TestServer;
import org.alder.server.wire.HandedClient;
import org.junit.Test;

/** What leaders of shards ask each other, as bytes, of which any may come. */
public final class ShardQuestionsTest {
    private static final AttributeType MAIL = TestServer.SCHEMA.attributeType("mail");
    private static final TransactionId ID = new TransactionId(new UUID(1, -2), 3);
    private static final Function<String, LockedException> LOCKED = message -> new LockedException(message, new CompletableFuture<>());

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static ValueQuestion values() throws DirectoryException {
        UniqueRule all = UniqueRule.of(MAIL);
        UniqueRule some = UniqueRule.of(TestServer.SCHEMA, List.of(MAIL), TestServer.dn("ou=users,dc=example,dc=com"), "(sn=x*)");
        return new ValueQuestion(List.of("ou=users,dc=example,dc=com (shard 0 of 2)", "ou=users,dc=example,dc=com (shard 1 of 2)"),
                List.of(UniqueValue.of(some, MAIL, utf8("one"), utf8("uuid")), UniqueValue.of(all, MAIL, utf8("two"), new byte[0]), UniqueValue.of(some, MAIL, utf8("two"), new byte[0])));
    }

    @Test
    public void valuesAreAskedAboutByTheirRules() throws Exception {
        ValueQuestion asked = values();
        ValueQuestion read = ValueQuestion.decode(TestServer.SCHEMA, asked.encode());
        assertEquals(asked.shards(), read.shards());
        List<String> told = new ArrayList<>();
        for (UniqueValue each : read.values()) {
            told.add((each.rule().base() == null ? "all" : each.rule().base().text()) + " " + each.rule().filterText() + " " + each.type().name() + " "
                    + new String(each.formBytes(), StandardCharsets.UTF_8) + " " + new String(each.movingBytes(), StandardCharsets.UTF_8));
        }
        assertEquals(List.of("ou=users,dc=example,dc=com (sn=x*) mail one uuid", "all null mail two ", "ou=users,dc=example,dc=com (sn=x*) mail two "), told);
        List<Use> uses = List.of(Use.FREE, Use.HELD, Use.CLAIMED);
        assertEquals(uses, asked.decodeAnswer(ValueQuestion.encodeAnswer(uses)));
        assertThrows(BerException.class, () -> asked.decodeAnswer(new byte[2]));
        assertThrows(BerException.class, () -> asked.decodeAnswer(new byte[] {0, 4, 0}));
    }

    @Test
    public void noMoreValuesAreReadThanMayBeAskedAbout() {
        UniqueValue value = UniqueValue.of(UniqueRule.of(MAIL), MAIL, utf8("one"), new byte[0]);
        BerException refused = assertThrows(BerException.class, () -> ValueQuestion.decode(TestServer.SCHEMA,
                new ValueQuestion(List.of("x"), Collections.nCopies(10_001, value)).encode()));
        assertEquals("more than 10000 values", refused.getMessage());
        refused = assertThrows(BerException.class, () -> ValueQuestion.decode(TestServer.SCHEMA, new ValueQuestion(Collections.nCopies(65, "x"), List.of(value)).encode()));
        assertEquals("more than 64 shards", refused.getMessage());
    }

    @Test
    public void partsAreAskedAboutByTheTransaction() throws Exception {
        PartQuestion asked = new PartQuestion(PartQuestion.Kind.END, "dc=x (shard 1 of 4)", ID, true, utf8("work"));
        PartQuestion read = PartQuestion.decode(asked.encode());
        assertEquals(asked.kind(), read.kind());
        assertEquals(asked.shard(), read.shard());
        assertEquals(ID, read.id());
        assertTrue(read.isMade());
        assertArrayEquals(utf8("work"), read.work());
        for (Verdict each : Verdict.values()) {
            assertEquals(each, PartQuestion.decodeVerdict(PartQuestion.encode(each)));
        }
        assertThrows(BerException.class, () -> PartQuestion.decodeVerdict(PartQuestion.encodeNumber(3)));
    }

    private static PartRequest request() throws IOException {
        HandedClient from = new HandedClient("node1", new InetSocketAddress(InetAddress.getByAddress(new byte[] {10, 0, 0, 7}), 4711), "", 0, "TLSv1.3", 256, true, true, "cn=a,dc=x",
                false, true, "SIMPLE");
        return new PartRequest("dc=x (shard 1 of 4)", ID, new HandedRequest(from, "dc=x", List.of(utf8("one"), utf8("two"))));
    }

    @Test
    public void updatesAreSentWithWhoHasSentThem() throws Exception {
        PartRequest asked = request();
        PartRequest read = PartRequest.decode(asked.encode());
        assertEquals(asked.shard(), read.shard());
        assertEquals(ID, read.id());
        assertEquals(asked.request().from(), read.request().from());
        assertEquals(2, read.request().messages().size());
        assertArrayEquals(utf8("two"), read.request().messages().get(1));
    }

    private static Exception refusal(Exception sent) throws BerException {
        Prepared read = PartQuestion.decodePrepared(PartQuestion.encode(new Prepared(4711, sent)), LOCKED);
        assertEquals(4711, read.sequence());
        return read.refusal();
    }

    @Test
    public void whatAPartCameToIsToldAsItIs() throws Exception {
        assertNull(refusal(null));
        assertEquals("in the way", ((LockedException) refusal(new LockedException("in the way", new CompletableFuture<>()))).getMessage());
        DirectoryException refused = (DirectoryException) refusal(DirectoryException.noSuchObject("cn=a,dc=x", "dc=x"));
        assertEquals(ResultCode.NO_SUCH_OBJECT, refused.resultCode());
        assertEquals("dc=x", refused.matchedDn());
        assertEquals(StoreException.Kind.DISK_FULL, ((StoreException) refusal(new StoreException(StoreException.Kind.DISK_FULL, "no room"))).kind());
    }

    @Test
    public void whatIsNoQuestionIsNone() throws Exception {
        Random random = Seed.random(getClass());
        byte[] values = values().encode();
        byte[] part = new PartQuestion(PartQuestion.Kind.PREPARE, "dc=x (shard 1 of 4)", ID, false, utf8("work")).encode();
        byte[] request = request().encode();
        byte[] prepared = PartQuestion.encode(new Prepared(1, DirectoryException.noSuchObject("cn=a,dc=x", "dc=x")));
        for (int i = 0; i < 3_000; i++) {
            decode(() -> ValueQuestion.decode(TestServer.SCHEMA, damaged(values, random)));
            decode(() -> PartQuestion.decode(damaged(part, random)));
            decode(() -> PartRequest.decode(damaged(request, random)));
            decode(() -> PartQuestion.decodePrepared(damaged(prepared, random), LOCKED));
            decode(() -> Arrival.decode(TestServer.SCHEMA, damaged(part, random)));
        }
    }

    private interface Decoding {
        void run() throws BerException;
    }

    /** Nothing else comes of it than that it is told. */
    private static void decode(Decoding decoding) {
        try {
            decoding.run();
        } catch (BerException e) {
            assertTrue(e.toString(), e.getMessage() != null);
        }
    }

    private static byte[] damaged(byte[] bytes, Random random) {
        byte[] damaged = Arrays.copyOf(bytes, random.nextInt(4) == 0 ? random.nextInt(bytes.length + 1) : bytes.length);
        for (int i = random.nextInt(4); i > 0 && damaged.length > 0; i--) {
            damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
        }
        return damaged;
    }

    @Test
    public void whoDoesNotHaveTheShardSaysSo() {
        ShardAnswers answers = new ShardAnswers(TestServer.SCHEMA, label -> null);
        for (CompletableFuture<byte[]> each : List.of(answers.part(new PartQuestion(PartQuestion.Kind.VERDICT, "dc=x (shard 1 of 4)", ID, false, new byte[0]).encode()),
                answers.part(new byte[] {PartQuestion.TAG, 0}), answers.values(new byte[0]))) {
            ExecutionException failed = assertThrows(ExecutionException.class, () -> each.get(60, TimeUnit.SECONDS));
            assertTrue(failed.getCause().toString(), failed.getCause() instanceof StoreException);
        }
    }
}
