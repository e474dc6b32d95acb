package org.alder.partition.jdbm.log;

import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.disk.DiskFile;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Between two syncs the disk may take writes in any order: whatever it has of them when the power fails, the log can be opened. */
public class LogWriteOrderTest {
    private static final UUID STORE = new UUID(7, 9);
    private static final long FIRST = 100;

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    /** What the last sync left, and each single write since then on top of it. */
    private final List<byte[]> images = new ArrayList<>();
    private byte[] synced = {};

    private Disk disk() {
        return proxy(Disk.class, SystemDisk.INSTANCE, (method, arguments, result) ->
                result instanceof DiskFile file ? proxy(DiskFile.class, file, (call, given, answer) -> note(file, call, given, answer))
                        : result);
    }

    private interface After {
        Object is(Method method, Object[] arguments, Object result) throws IOException;
    }

    private static <T> T proxy(Class<T> type, T real, After after) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
            Object[] given = arguments == null ? new Object[0] : arguments.clone();
            for (int i = 0; i < given.length; i++) {
                given[i] = given[i] instanceof ByteBuffer buffer ? buffer.duplicate() : given[i];
            }
            try {
                return after.is(method, given, method.invoke(real, arguments));
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }

    private Object note(DiskFile file, Method method, Object[] arguments, Object result) throws IOException {
        if (method.getName().equals("write")) {
            ByteBuffer written = (ByteBuffer) arguments[0];
            int position = Math.toIntExact((long) arguments[1]);
            byte[] image = Arrays.copyOf(synced, Math.max(synced.length, position + written.remaining()));
            written.get(image, position, written.remaining());
            images.add(image);
        } else if (method.getName().equals("sync")) {
            ByteBuffer all = ByteBuffer.allocate(Math.toIntExact(file.size()));
            file.read(all, 0);
            synced = all.array();
            images.add(synced);
        }
        return result;
    }

    private static LogGroup group(long sequence) {
        byte[] rdn = ("cn=" + sequence).getBytes(StandardCharsets.UTF_8);
        return new LogGroup(sequence, 1234, List.of(List.of(new Operation.Add(sequence, EntryRecord.of(1, rdn, List.of(), List.of()),
                Outside.NONE))));
    }

    @Test
    public void theEndMarkOfALogThatWasNotSyncedIsNotThereBeforeItsRecords() throws IOException {
        try (CommitLog log = CommitLog.create(disk(), temporary.getRoot().toPath(), STORE, FIRST, 0)) {
            int named = images.size();
            log.append(group(FIRST));
            long end = log.sizeBytes();
            log.append(group(FIRST + 1));
            log.takeBack(end);
            assertTrue(images.size() > named);
            Path folder = temporary.newFolder().toPath();
            for (byte[] image : images.subList(named, images.size())) {
                Files.write(folder.resolve(log.path().getFileName()), image);
                new StoredLog(SystemDisk.INSTANCE, folder, STORE).replay(FIRST, false, group -> { });
            }
        }
    }
}
