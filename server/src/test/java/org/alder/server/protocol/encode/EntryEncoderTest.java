package org.alder.server.protocol.encode;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.entry.EntryAttributes;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.LargeAttribute;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.filter.AttributeAccess;
import org.alder.partition.filter.Filter;
import org.alder.partition.filter.ValuesFilter;
import org.alder.partition.request.Patience;
import org.alder.partition.schema.Schema;
import org.alder.server.TestServer;
import org.alder.server.directory.EntryCursor;
import org.alder.server.directory.ValueCursor;
import org.junit.Test;

public class EntryEncoderTest {
    private static final Schema SCHEMA = TestServer.SCHEMA;
    private static final int VALUES = 10_000;

    private final AtomicInteger read = new AtomicInteger();

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    /** An entry with so many members outside of its record, of a search that has so much time. */
    private EntryCursor group(Patience time) {
        byte[] value = "cn=somebody".getBytes(StandardCharsets.UTF_8);
        LargeAttribute members = new LargeAttribute(0, "member", VALUES, VALUES * LargeAttribute.encodedBytes(value));
        EntryAttributes record = EntryRecord.of(1, "cn=group".getBytes(StandardCharsets.UTF_8), List.of(), List.of()).withLarge(List.of(members));
        ValueCursor values = proxy(ValueCursor.class, (self, method, arguments) -> switch (method.getName()) {
            case "next" -> read.incrementAndGet() <= VALUES;
            case "value" -> value;
            case "close" -> null;
            default -> throw new IllegalStateException(method.getName());
        });
        return proxy(EntryCursor.class, (self, method, arguments) -> switch (method.getName()) {
            case "attributes" -> record;
            case "access" -> AttributeAccess.ALL;
            case "virtualAttributes" -> List.of();
            case "isIncomplete" -> false;
            case "openValues" -> values;
            case "writeDn" -> {
                ((BerWriter) arguments[0]).string(BerWriter.OCTET_STRING, "cn=group");
                yield null;
            }
            case "requireTime" -> {
                time.check();
                yield null;
            }
            default -> throw new IllegalStateException(method.getName());
        });
    }

    private void encode(Patience time) throws DirectoryException {
        ValuesFilter chosen = ValuesFilter.of(SCHEMA, List.of(new Filter.Equality("member", "cn=nobody".getBytes(StandardCharsets.UTF_8))));
        new EntryEncoder(SCHEMA, new AttributeSelection(SCHEMA, List.of()), false, chosen, EntryControls.NONE, AttributeOrigin.ANY)
                .write(new BerWriter(256), 1, group(time));
    }

    /** A thread was kept for a million values times ten thousand items, whatever the search's time, and if its client had gone. */
    @Test
    public void choosingAmongManyValuesEndsWhenThereIsNoTime() throws DirectoryException {
        DirectoryException over = new DirectoryException(ResultCode.TIME_LIMIT_EXCEEDED, "over");
        assertSame(over, assertThrows(DirectoryException.class, () -> encode(() -> {
            if (read.get() >= 500) {
                throw over;
            }
        })));
        assertTrue(read.get() + " values", read.get() < 1000);
    }

    @Test
    public void whoHasTimeGetsWhatIsChosenOfAll() throws DirectoryException {
        encode(Patience.ENDLESS);
        assertEquals(VALUES + 1, read.get());
    }
}
