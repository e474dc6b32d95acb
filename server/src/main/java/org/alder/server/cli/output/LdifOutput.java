package org.alder.server.cli.output;

import java.io.IOException;
import java.io.OutputStream;
import org.alder.ldif.LdifEntry;
import org.alder.ldif.LdifWriter;

/** As LDIF (RFC 2849). One thread. */
public final class LdifOutput implements EntryOutput {
    private final LdifWriter writer;

    public LdifOutput(OutputStream out) throws IOException {
        writer = new LdifWriter(out);
    }

    @Override
    public void entry(LdifEntry entry) throws IOException {
        if (entry.attributes().isEmpty()) {
            writer.writeName(entry.dn());
        } else {
            writer.write(entry);
        }
        writer.flush();
    }

    @Override
    public void close() throws IOException {
        writer.flush();
    }
}
