package org.alder.server.cluster;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertFalse;

import java.util.concurrent.CompletableFuture;
import org.alder.partition.ber.BerException;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.prepared.LockedException;
import org.alder.partition.testing.TestDirectory;
import org.alder.partition.update.copy.CopiedBatch;
import org.alder.server.protocol.PreparedPart;

/** Whatever a member asks who leads a shard, or answers, it is read, or told to be none. */
public final class QuestionFuzz {
    private QuestionFuzz() {
    }

    public static void question(byte[] input) {
        try {
            byte[] once = ValueQuestion.decode(TestDirectory.SCHEMA, input).encode();
            assertArrayEquals(once, ValueQuestion.decode(TestDirectory.SCHEMA, once).encode());
        } catch (BerException e) {
            requireReason(e);
        }
        try {
            byte[] once = PartQuestion.decode(input).encode();
            assertArrayEquals(once, PartQuestion.decode(once).encode());
        } catch (BerException e) {
            requireReason(e);
        }
        try {
            byte[] once = PartRequest.decode(input).encode();
            assertArrayEquals(once, PartRequest.decode(once).encode());
        } catch (BerException e) {
            requireReason(e);
        }
        try {
            byte[] once = CopyQuestion.decode(input).encode();
            assertArrayEquals(once, CopyQuestion.decode(once).encode());
        } catch (BerException e) {
            requireReason(e);
        }
        try {
            byte[] once = CopyQuestion.Answer.decode(input).encode();
            assertArrayEquals(once, CopyQuestion.Answer.decode(once).encode());
        } catch (BerException e) {
            requireReason(e);
        }
        try {
            CopiedBatch.decode(TestDirectory.SCHEMA, input);
        } catch (BerException e) {
            requireReason(e);
        }
        try {
            PreparedPart.decode(input);
        } catch (DirectoryException e) {
            assertFalse(e.getMessage().isEmpty());
        }
        try {
            byte[] once = PartQuestion.encode(PartQuestion.decodePrepared(input, message -> new LockedException(message, new CompletableFuture<>())));
            assertArrayEquals(once, PartQuestion.encode(PartQuestion.decodePrepared(once, message -> new LockedException(message, new CompletableFuture<>()))));
        } catch (BerException e) {
            requireReason(e);
        }
    }

    private static void requireReason(BerException e) {
        assertFalse(e.getMessage().isEmpty());
    }
}
