package org.alder.partition.bookkeeper.ask;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.alder.partition.bookkeeper.socket.Sockets;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.error.StoreException;
import org.alder.partition.testing.Await;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** Members that ask each other, and who is none. */
public class AskTest {
    private AskServer server;
    private AskedMember member;
    /** Questions that are not answered before the test does. */
    private final ConcurrentHashMap<String, CompletableFuture<byte[]>> open = new ConcurrentHashMap<>();

    @Before
    public void start() throws IOException {
        server = AskServer.start(Sockets.PLAIN, "node1", "127.0.0.1", 0);
        server.answerWith(question -> {
            String text = new String(question, StandardCharsets.UTF_8);
            return text.startsWith("later") ? open.computeIfAbsent(text, key -> new CompletableFuture<>())
                    : CompletableFuture.completedFuture(bytes("answer to " + text));
        });
        member = member("node1", server.port());
    }

    @After
    public void close() throws IOException {
        member.close();
        server.close();
    }

    private static AskedMember member(String name, int port) {
        return new AskedMember(Sockets.PLAIN, "node2", name, InetSocketAddress.createUnresolved("127.0.0.1", port));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private CompletableFuture<byte[]> ask(String text) {
        return member.ask(bytes(text));
    }

    private static String text(CompletableFuture<byte[]> answer) throws Exception {
        return new String(answer.get(Await.MILLIS, TimeUnit.MILLISECONDS), StandardCharsets.UTF_8);
    }

    private static Throwable failure(CompletableFuture<byte[]> answer) throws Exception {
        try {
            throw new AssertionError("an answer of " + answer.get(Await.MILLIS, TimeUnit.MILLISECONDS).length + " bytes");
        } catch (ExecutionException e) {
            return e.getCause();
        }
    }

    private static void assertKind(StoreException.Kind kind, CompletableFuture<byte[]> answer) throws Exception {
        assertEquals(kind, ((StoreException) failure(answer)).kind());
    }

    @Test
    public void manyQuestionsOfWhichOneWaits() throws Exception {
        CompletableFuture<byte[]> later = ask("later");
        List<CompletableFuture<byte[]>> all = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            all.add(ask("question " + i));
        }
        for (int i = 0; i < 500; i++) {
            assertEquals("answer to question " + i, text(all.get(i)));
        }
        open.get("later").complete(bytes("late"));
        assertEquals("late", text(later));
    }

    @Test
    public void whatTheAnswerFailsWith() throws Exception {
        CompletableFuture<byte[]> refused = ask("later refused");
        CompletableFuture<byte[]> unknown = ask("later unknown");
        Await.until("both", () -> open.size() == 2);
        open.get("later refused").completeExceptionally(new StoreException(StoreException.Kind.NOT_LEADER, "nothing was done"));
        open.get("later unknown").completeExceptionally(new IllegalStateException("a fault"));
        assertKind(StoreException.Kind.NOT_LEADER, refused);
        assertKind(StoreException.Kind.OUTCOME_UNKNOWN, unknown);
        CompletableFuture<byte[]> behind = ask("later behind another");
        Await.until("it", () -> open.size() == 3);
        open.get("later behind another").completeExceptionally(new CompletionException(new StoreException(StoreException.Kind.NOT_LEADER, "nothing was done")));
        StoreException told = (StoreException) failure(behind);
        assertEquals(StoreException.Kind.NOT_LEADER, told.kind());
        assertEquals("nothing was done", told.getMessage());
    }

    @Test
    public void aLostConnectionLeavesWhatWasAskedUnknownAndIsMadeAgain() throws Exception {
        CompletableFuture<byte[]> lost = ask("later");
        Await.until("the question", () -> open.containsKey("later"));
        int port = server.port();
        server.close();
        assertKind(StoreException.Kind.OUTCOME_UNKNOWN, lost);
        assertKind(StoreException.Kind.NOT_LEADER, ask("while nobody is there"));
        server = AskServer.start(Sockets.PLAIN, "node1", "127.0.0.1", port);
        assertKind(StoreException.Kind.NOT_LEADER, ask("before anything is answered"));
        server.answerWith(question -> CompletableFuture.completedFuture(bytes("again")));
        assertEquals("again", text(ask("question")));
        member.close();
        assertKind(StoreException.Kind.NOT_LEADER, ask("after the end"));
    }

    @Test
    public void moreThanMayWaitIsBusyAndTooLargeIsNotSent() throws Exception {
        for (int i = 0; i < AskMessage.MOST_QUESTIONS; i++) {
            ask("later " + i);
        }
        assertEquals(ResultCode.BUSY, ((DirectoryException) failure(ask("one more"))).resultCode());
        Await.until("all", () -> open.size() == AskMessage.MOST_QUESTIONS);
        open.values().forEach(each -> each.complete(bytes("done")));
        Await.until("room", () -> {
            try {
                return text(ask("one more")).equals("answer to one more");
            } catch (ExecutionException e) {
                return false;
            }
        });
        assertEquals(ResultCode.ADMIN_LIMIT_EXCEEDED, ((DirectoryException) failure(member.ask(new byte[AskMessage.MOST_BYTES + 1]))).resultCode());
    }

    @Test
    public void anotherMemberThanIsWantedIsNotAsked() throws Exception {
        try (AskedMember mixedUp = member("node3", server.port())) {
            assertKind(StoreException.Kind.NOT_LEADER, mixedUp.ask(bytes("question")));
        }
    }

    /** Who speaks something else gets nothing, and who says nothing does not keep others out for long. */
    @Test
    public void strangers() throws Exception {
        try (Socket ldap = new Socket("127.0.0.1", server.port())) {
            ldap.getOutputStream().write(new byte[] {0x30, 0x0c, 0x02, 0x01, 0x01, 0x60, 0x07, 0x02, 0x01, 0x03, 0x04, 0x00, (byte) 0x80, 0x00});
            assertEquals(-1, ldap.getInputStream().read());
        }
        try (Socket early = new Socket("127.0.0.1", server.port())) {
            DataOutputStream out = new DataOutputStream(early.getOutputStream());
            new AskMessage(AskMessage.QUESTION, 1, bytes("question")).write(out);
            assertEquals("no question before the hello", -1, early.getInputStream().read());
        }
        try (Socket huge = new Socket("127.0.0.1", server.port())) {
            DataOutputStream out = new DataOutputStream(huge.getOutputStream());
            AskMessage.hello("node2", "node1").write(out);
            DataInputStream in = new DataInputStream(huge.getInputStream());
            assertEquals("alder-ask 1 from node1", AskMessage.read(in, AskMessage.MOST_HELLO_BYTES).text());
            out.writeInt(Integer.MAX_VALUE);
            assertEquals(-1, in.read());
        }
        List<Socket> silent = new ArrayList<>();
        for (int i = 0; i < AskServer.MOST_CONNECTIONS; i++) {
            silent.add(new Socket("127.0.0.1", server.port()));
        }
        Await.until("room for a member", () -> {
            try {
                return text(ask("question")).equals("answer to question");
            } catch (ExecutionException e) {
                return false;
            }
        });
        for (Socket each : silent) {
            each.close();
        }
        assertTrue("questions are answered to the end", text(ask("more")).endsWith("more"));
    }
}
