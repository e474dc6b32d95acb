package org.alder.server.cli.output;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.alder.ldif.LdifEntry;
import org.alder.partition.schema.Schema;
import org.alder.partition.text.JsonText;
import org.alder.partition.text.Utf8;

/**
 * Comma-separated values (RFC 4180, with LF): a line of names, then a line for each entry, the DN first. The values of an attribute are in one
 * field, one a line. A value that is no visible text, or looks like such a one, is <code>{base64}</code> and its octets: so every value can be
 * told from what is there. One thread.
 */
public final class CsvOutput implements EntryOutput {
    private static final String BASE64 = "{base64}";

    private final OutputStream out;
    private final Columns columns;

    /**
     * @param names of attributes: each is a column
     * @throws IllegalArgumentException if there are none, or one stands for several
     */
    public CsvOutput(OutputStream out, Schema schema, List<String> names) throws IOException {
        if (names.isEmpty() || !names.stream().allMatch(Columns::isName)) {
            throw new IllegalArgumentException("csv has a column for each attribute: name them behind the filter, such as cn mail");
        }
        this.out = out;
        this.columns = new Columns(schema, names);
        line(Stream.concat(Stream.of("dn"), names.stream()));
    }

    @Override
    public void entry(LdifEntry entry) throws IOException {
        line(Stream.concat(Stream.of(value(entry.dn())), columns.values(entry).stream().map(values -> values.stream()
                .map(CsvOutput::value).collect(Collectors.joining("\n")))));
    }

    private static String value(byte[] value) {
        String text = Utf8.decodeOrNull(value);
        return text == null ? BASE64 + Base64.getEncoder().encodeToString(value) : value(text);
    }

    private static String value(String text) {
        return text.startsWith(BASE64) || text.codePoints().anyMatch(JsonText::isDangerous)
                ? BASE64 + Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8)) : text;
    }

    private void line(Stream<String> fields) throws IOException {
        out.write((fields.map(CsvOutput::quoted).collect(Collectors.joining(",")) + '\n').getBytes(StandardCharsets.UTF_8));
    }

    private static String quoted(String field) {
        boolean plain = field.indexOf(',') < 0 && field.indexOf('"') < 0 && field.indexOf('\n') < 0;
        return plain ? field : '"' + field.replace("\"", "\"\"") + '"';
    }

    @Override
    public String omitted() {
        return columns.leftOut();
    }

    @Override
    public void close() throws IOException {
        out.flush();
    }
}
