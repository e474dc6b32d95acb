package org.alder.ldif.bulk;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.alder.ldif.LdifAttribute;
import org.alder.ldif.LdifControl;
import org.alder.ldif.LdifEntry;
import org.alder.partition.file.OwnerOnly;

/**
 * Entries of a load whose parents have not come yet, in a temporary file, so that they take no heap. Servers print entries in the
 * order in which they were made: one that was moved below a younger entry stands before it. First all are put in, then they are
 * taken out in the same order, with the lines of their file. One thread at a time.
 */
final class WaitingEntries implements EntrySource, Closeable {
    private static final int BUFFER_BYTES = 1 << 16;

    private final Path path;
    /** Null as long as there is none. */
    private FileChannel file;
    private DataOutputStream out;
    private DataInputStream in;
    private long left;

    /** @param path of the file, which is made with the first entry, and may have no name where the system allows that */
    WaitingEntries(Path path) {
        this.path = path;
    }

    boolean isEmpty() {
        return left == 0;
    }

    void add(LdifEntry entry) throws IOException {
        if (file == null) {
            file = FileChannel.open(path, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE,
                    StandardOpenOption.DELETE_ON_CLOSE), OwnerOnly.file(path));
            out = new DataOutputStream(new BufferedOutputStream(Channels.newOutputStream(file), BUFFER_BYTES));
        }
        out.writeLong(entry.line());
        write(entry.dn());
        out.writeInt(entry.controls().size());
        for (LdifControl control : entry.controls()) {
            write(control.oid());
            out.writeBoolean(control.critical());
            out.writeBoolean(control.value() != null);
            if (control.value() != null) {
                write(control.value());
            }
        }
        out.writeInt(entry.attributes().size());
        for (LdifAttribute attribute : entry.attributes()) {
            write(attribute.description());
            out.writeInt(attribute.line());
            write(attribute.value());
        }
        left++;
    }

    private void write(String text) throws IOException {
        write(text.getBytes(StandardCharsets.UTF_8));
    }

    private void write(byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    @Override
    public LdifEntry next() throws IOException {
        if (left == 0) {
            return null;
        }
        if (in == null) {
            out.flush();
            file.position(0);
            in = new DataInputStream(new BufferedInputStream(Channels.newInputStream(file), BUFFER_BYTES));
        }
        left--;
        long line = in.readLong();
        String dn = readText();
        List<LdifControl> controls = new ArrayList<>();
        for (int more = in.readInt(); more > 0; more--) {
            controls.add(new LdifControl(readText(), in.readBoolean(), in.readBoolean() ? readBytes() : null));
        }
        int count = in.readInt();
        List<LdifAttribute> attributes = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            String description = readText();
            int at = in.readInt();
            attributes.add(new LdifAttribute(description, readBytes(), at));
        }
        return new LdifEntry(line, dn, controls, attributes);
    }

    private String readText() throws IOException {
        return new String(readBytes(), StandardCharsets.UTF_8);
    }

    private byte[] readBytes() throws IOException {
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        return bytes;
    }

    @Override
    public void close() throws IOException {
        if (file != null) {
            file.close();
        }
    }
}
