package org.alder.server.protocol.search;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.filter.AttributeAccess;
import org.alder.partition.request.Patience;
import org.alder.server.TestServer;
import org.alder.server.auth.Identity;
import org.alder.server.control.search.Dereference;
import org.alder.server.directory.Directory;
import org.alder.server.directory.EntryCursor;
import org.alder.server.directory.OperationContext;
import org.alder.server.protocol.encode.EntryControls;
import org.alder.server.resource.Holding;
import org.alder.server.resource.MemoryBudget;
import org.junit.Test;

/** One entry may name a million others. */
public class DereferencedEntriesTest {
    private static final DirectoryException ENOUGH = new DirectoryException(ResultCode.TIME_LIMIT_EXCEEDED, "enough");

    private final AtomicInteger searches = new AtomicInteger();
    private final Directory directory = proxy(Directory.class, (method, arguments) -> {
        searches.incrementAndGet();
        throw new DirectoryException(ResultCode.NO_SUCH_OBJECT, "nobody");
    });
    private final MemoryBudget memory = new MemoryBudget("operationBytes", Long.MAX_VALUE);

    private interface Answer {
        Object to(String method, Object[] arguments) throws Throwable;
    }

    private static <T> T proxy(Class<T> type, Answer answer) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
                (proxy, method, arguments) -> answer.to(method.getName(), arguments)));
    }

    /** An entry with a thousand members, of a search that has so much time. */
    private static EntryCursor group(Patience time) {
        List<byte[]> members = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            members.add(TestServer.userDn(i).getBytes(StandardCharsets.UTF_8));
        }
        EntryRecord record = EntryRecord.of(1, "cn=group".getBytes(StandardCharsets.UTF_8),
                List.of(new Attribute("member", members)), List.of());
        return proxy(EntryCursor.class, (method, arguments) -> switch (method) {
            case "attributes" -> record;
            case "access" -> AttributeAccess.ALL;
            case "virtualAttributes" -> List.of();
            case "requireTime" -> {
                time.check();
                yield null;
            }
            default -> throw new IllegalStateException(method);
        });
    }

    private EntryControls members(Patience client) throws DirectoryException {
        return members(client, memory);
    }

    private EntryControls members(Patience client, MemoryBudget memory) throws DirectoryException {
        return DereferencedEntries.of(directory, TestServer.SCHEMA,
                new OperationContext(new Identity(TestServer.dn(TestServer.ADMIN), true), Instant.EPOCH, null), memory.open(Holding.SEARCH), client,
                List.of(new Dereference.Spec("member", List.of("cn"))), true);
    }

    private Patience until(int most) {
        return () -> {
            if (searches.get() >= most) {
                throw ENOUGH;
            }
        };
    }

    /** All members were searched for, however many, before anybody looked at the clock. */
    @Test
    public void theSearchsTimeEndsItAmongTheMembers() throws DirectoryException {
        EntryControls controls = members(Patience.ENDLESS);
        assertSame(ENOUGH, assertThrows(DirectoryException.class, () -> controls.of(group(until(10)))));
        assertEquals(10, searches.get());
    }

    @Test
    public void aClientThatDoesNotWaitEndsItAmongTheMembers() throws DirectoryException {
        EntryControls controls = members(until(10));
        assertSame(ENOUGH, assertThrows(DirectoryException.class, () -> controls.of(group(Patience.ENDLESS))));
        assertEquals(10, searches.get());
        assertEquals(0, memory.heldBytes());
    }

    @Test
    public void whatIsGatheredIsCountedAndGivenBack() throws DirectoryException {
        MemoryBudget little = new MemoryBudget("operationBytes", 100_000);
        EntryControls controls = members(Patience.ENDLESS, little);
        DirectoryException refusal = assertThrows(DirectoryException.class, () -> controls.of(group(Patience.ENDLESS)));
        assertTrue(refusal.getMessage(), refusal.getMessage().contains("cannot be held for a search"));
        assertEquals(0, little.heldBytes());
    }

    @Test
    public void whoHasTimeGetsAll() throws DirectoryException {
        assertEquals(1, members(Patience.ENDLESS).of(group(Patience.ENDLESS)).size());
        assertEquals(1000, searches.get());
    }
}
