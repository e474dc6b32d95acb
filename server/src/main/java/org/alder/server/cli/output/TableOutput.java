package org.alder.server.cli.output;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.alder.ldif.LdifAttribute;
import org.alder.ldif.LdifEntry;
import org.alder.partition.schema.Schema;

/**
 * A table for people: the DN, and a column for each attribute. The first {@value #SAMPLE_ROWS} entries say how wide columns are, and, where
 * nobody names them, which there are; so large results are not held. Longer values are cut. One thread.
 */
public final class TableOutput implements EntryOutput {
    private static final int SAMPLE_ROWS = 100;
    private static final long SAMPLE_BYTES = 4 << 20;
    private static final int MOST_UNNAMED = 12;
    private static final int MOST_PADDED = 200;
    private static final String BETWEEN_VALUES = "; ";
    private static final String BETWEEN_COLUMNS = "  ";

    private final OutputStream out;
    private final Schema schema;
    private final List<String> names;
    private final int mostColumns;
    private final List<LdifEntry> sample = new ArrayList<>();
    private long sampleBytes;
    /** Null until the widths are known. */
    private Columns columns;
    private int[] widths;

    /**
     * @param names of attributes: each is a column, unless one stands for several; then those are columns that the first entries have
     * @param cellColumns most characters of a value that are shown; 0 = all
     */
    public TableOutput(OutputStream out, Schema schema, List<String> names, int cellColumns) {
        this.out = out;
        this.schema = schema;
        this.names = names;
        this.mostColumns = cellColumns;
    }

    @Override
    public void entry(LdifEntry entry) throws IOException {
        if (columns != null) {
            row(cells(entry));
            return;
        }
        sample.add(entry);
        sampleBytes += entry.attributes().stream().mapToLong(attribute -> attribute.value().length).sum();
        if (sample.size() >= SAMPLE_ROWS || sampleBytes > SAMPLE_BYTES) {
            begin();
        }
    }

    private void begin() throws IOException {
        columns = new Columns(schema, names.isEmpty() || !names.stream().allMatch(Columns::isName) ? seen() : names);
        List<List<String>> rows = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of("dn"));
        columns.names().forEach(name -> head.add(TerminalText.cut(TerminalText.shown(name), mostColumns)));
        rows.add(head);
        sample.forEach(entry -> rows.add(cells(entry)));
        sample.clear();
        widths = new int[head.size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.min(MOST_PADDED, Math.max(widths[i], TerminalText.columns(row.get(i))));
            }
        }
        for (List<String> row : rows) {
            row(row);
        }
    }

    /** The first attributes of the first entries. */
    private List<String> seen() {
        Set<String> seen = new LinkedHashSet<>();
        for (LdifEntry entry : sample) {
            for (LdifAttribute attribute : entry.attributes()) {
                if (seen.size() < MOST_UNNAMED && seen.stream().noneMatch(attribute.description()::equalsIgnoreCase)) {
                    seen.add(attribute.description());
                }
            }
        }
        return List.copyOf(seen);
    }

    private List<String> cells(LdifEntry entry) {
        List<String> cells = new ArrayList<>();
        cells.add(TerminalText.cut(TerminalText.shown(entry.dn()), mostColumns));
        for (List<byte[]> values : columns.values(entry)) {
            StringBuilder cell = new StringBuilder();
            for (int i = 0; i < values.size() && (mostColumns == 0 || cell.length() <= 2 * mostColumns); i++) {
                cell.append(i == 0 ? "" : BETWEEN_VALUES).append(TerminalText.shown(values.get(i)));
            }
            cells.add(TerminalText.cut(cell.toString(), mostColumns));
        }
        return cells;
    }

    private void row(List<String> cells) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < cells.size(); i++) {
            line.append(i == 0 ? "" : BETWEEN_COLUMNS).append(cells.get(i));
            if (i < cells.size() - 1) {
                line.append(" ".repeat(Math.max(0, widths[i] - TerminalText.columns(cells.get(i)))));
            }
        }
        out.write((line.toString().stripTrailing() + '\n').getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String omitted() {
        return columns == null ? null : columns.leftOut();
    }

    @Override
    public void close() throws IOException {
        if (columns == null && !sample.isEmpty()) {
            begin();
        }
        out.flush();
    }
}
