package org.alder.server;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.ldap.sdk.ExtendedRequest;
import com.unboundid.ldap.sdk.ExtendedResult;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.ResultCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.testing.Await;
import org.alder.server.audit.AuditLevel;
import org.alder.server.audit.AuditSettings;
import org.alder.server.audit.LogFiles;
import org.alder.server.cli.client.InvitationCall;
import org.alder.server.extended.Invitations;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The extended operation by which a machine that has been invited asks a member, over the wire and without a bind. */
public class InvitationsTest {
    private static final byte[] REQUEST = {0, 1, 2};
    private static final byte[] SEALED = "sealed".getBytes(StandardCharsets.US_ASCII);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private TestMembers members;

    @Before
    public void start() {
        AuditSettings audit = new AuditSettings(AuditLevel.SECURITY, new LogFiles(audit(), 1 << 30, 0, 0), true);
        members = new TestMembers(settings -> settings, settings -> settings.with(draft -> draft.audit = audit));
    }

    @After
    public void stop() {
        members.close();
    }

    private Path audit() {
        return folder.getRoot().toPath().resolve("audit.jsonl");
    }

    private static ExtendedResult ask(TestServer server, byte[] value) throws LDAPException {
        try (LDAPConnection connection = server.anonymous()) {
            return connection.processExtendedOperation(value == null ? new ExtendedRequest(Invitations.OID)
                    : new ExtendedRequest(Invitations.OID, new ASN1OctetString(value)));
        } catch (LDAPException e) {
            return new ExtendedResult(e);
        }
    }

    @Test
    public void whoHasNotLoggedInIsAnsweredAndTheAuditLogKnows() throws Exception {
        members.invitations(request -> request.length == 1 ? null : Arrays.equals(REQUEST, request) ? SEALED : new byte[0]);
        ExtendedResult given = ask(members.replica, REQUEST);
        assertEquals(given.getDiagnosticMessage(), ResultCode.SUCCESS, given.getResultCode());
        assertArrayEquals(SEALED, given.getValue().getValue());
        ExtendedResult kept = ask(members.replica, new byte[1]);
        assertEquals(ResultCode.SUCCESS, kept.getResultCode());
        assertNull(kept.getValue());
        Await.until("both in the audit log", () -> {
            String lines = Files.readString(audit());
            return lines.contains("\"invitationGiven\"") && lines.contains("\"invitationUsed\"") && lines.contains("127.0.0.1");
        });
    }

    @Test
    public void refusalsTellNothingButThemselves() throws Exception {
        members.invitations(request -> {
            if (request == null) {
                throw new IOException("ZooKeeper at 192.0.2.1:2181 is away");
            }
            throw new DirectoryException(org.alder.partition.error.ResultCode.NO_SUCH_OBJECT, "there is no such invitation");
        });
        ExtendedResult none = ask(members.leader, REQUEST);
        assertEquals(ResultCode.NO_SUCH_OBJECT, none.getResultCode());
        assertEquals("there is no such invitation", none.getDiagnosticMessage());
        ExtendedResult away = ask(members.leader, null);
        assertEquals(ResultCode.UNAVAILABLE, away.getResultCode());
        assertFalse(away.getDiagnosticMessage(), away.getDiagnosticMessage().contains("192.0.2.1"));
        assertEquals("it goes on", ResultCode.NO_SUCH_OBJECT, ask(members.leader, REQUEST).getResultCode());
    }

    /** However many ask, there is one thread, one question to ZooKeeper, and one answer. */
    @Test
    public void oneIsAnsweredAtATime() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        members.invitations(request -> {
            begun.countDown();
            try {
                goOn.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            return SEALED;
        });
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try {
            Future<ExtendedResult> first = threads.submit(() -> ask(members.replica, REQUEST));
            begun.await();
            assertEquals(ResultCode.BUSY, ask(members.replica, REQUEST).getResultCode());
            goOn.countDown();
            assertEquals(ResultCode.SUCCESS, first.get().getResultCode());
            assertEquals(ResultCode.SUCCESS, ask(members.replica, REQUEST).getResultCode());
        } finally {
            goOn.countDown();
            threads.shutdown();
        }
    }

    @Test
    public void theCommandAsksInTheSameWay() throws Exception {
        members.invitations(request -> {
            if (request.length == 0) {
                throw new DirectoryException(org.alder.partition.error.ResultCode.NO_SUCH_OBJECT, "there is no such invitation");
            }
            return SEALED;
        });
        InvitationCall call = new InvitationCall("127.0.0.1:" + members.leader.port(), null);
        assertArrayEquals(SEALED, call.ask(REQUEST));
        IOException none = assertThrows(IOException.class, () -> call.ask(new byte[0]));
        assertTrue(none.getMessage(), none.getMessage().contains("noSuchObject, there is no such invitation"));
    }

    /** By what a server says that is no member: it is asked in TLS then, and by none that it does not know. */
    @Test
    public void theCommandAsksByTls() throws Exception {
        Path known = folder.newFolder("known").toPath();
        Path unknown = folder.newFolder("unknown").toPath();
        TestTls.writePair(unknown, Instant.now().minus(1, ChronoUnit.HOURS), 3);
        try (TestTls tls = new TestTls(known, settings -> settings)) {
            for (String address : List.of("ldaps://127.0.0.1:" + tls.tlsPort(), "ldap://127.0.0.1:" + tls.port(), "127.0.0.1:" + tls.port())) {
                IOException asked = assertThrows(IOException.class, () -> new InvitationCall(address, known.resolve("tls.crt")).ask(REQUEST));
                assertTrue(asked.getMessage(), asked.getMessage().contains("is no member of a cluster"));
                IOException stranger = assertThrows(IOException.class, () -> new InvitationCall(address, unknown.resolve("tls.crt")).ask(REQUEST));
                assertTrue(stranger.getMessage(), stranger.getMessage().contains("no TLS with the server") && stranger.getMessage().contains("--join-ca"));
            }
            IOException untrusted = assertThrows(IOException.class, () -> new InvitationCall("ldaps://127.0.0.1:" + tls.tlsPort(), null).ask(REQUEST));
            assertTrue(untrusted.getMessage(), untrusted.getMessage().contains("no TLS with the server"));
        }
    }

    @Test
    public void membersListItAndAServerAloneDoesNotHaveIt() throws Exception {
        try (LDAPConnection connection = members.replica.anonymous()) {
            assertTrue(connection.getRootDSE().supportsExtendedOperation(Invitations.OID));
        }
        try (TestServer alone = new TestServer(); LDAPConnection connection = alone.anonymous()) {
            assertFalse(connection.getRootDSE().supportsExtendedOperation(Invitations.OID));
            assertEquals(ResultCode.PROTOCOL_ERROR, ask(alone, REQUEST).getResultCode());
            IOException e = assertThrows(IOException.class, () -> new InvitationCall("127.0.0.1:" + alone.port(), null).ask(REQUEST));
            assertTrue(e.getMessage(), e.getMessage().contains("no member of a cluster"));
        }
    }
}
