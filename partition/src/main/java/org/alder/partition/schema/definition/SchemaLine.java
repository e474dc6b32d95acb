package org.alder.partition.schema.definition;

import java.util.ArrayList;
import java.util.List;
import org.alder.partition.error.StoreException;

/** One logical line of a schema file, joined from several, which knows the number of each: messages name the line in the file. */
final class SchemaLine {
    /** More than any definition that somebody wrote by hand. */
    private static final int SHOWN_CHARACTERS = 4000;

    private final DefinitionOrigin.Layer layer;
    private final String file;
    private final StringBuilder text = new StringBuilder();
    private final List<Integer> starts = new ArrayList<>();
    private final List<Integer> numbers = new ArrayList<>();

    SchemaLine(DefinitionOrigin.Layer layer, String file) {
        this.layer = layer;
        this.file = file;
    }

    /** A text that no file holds. */
    static SchemaLine of(DefinitionOrigin.Layer layer, String from, String text) {
        SchemaLine line = new SchemaLine(layer, from);
        line.append(text, 0);
        return line;
    }

    void append(String part, int number) {
        starts.add(text.length());
        numbers.add(number);
        text.append(part);
    }

    /** The same place with another text, whose lines are not known. */
    SchemaLine with(String other) {
        SchemaLine line = new SchemaLine(layer, file);
        line.append(other, numbers.get(0));
        return line;
    }

    private String shown() {
        String trimmed = text.toString().trim();
        return trimmed.length() <= SHOWN_CHARACTERS ? trimmed : trimmed.substring(0, SHOWN_CHARACTERS) + "...";
    }

    String text() {
        return text.toString();
    }

    boolean isEmpty() {
        return text.length() == 0;
    }

    DefinitionOrigin origin() {
        return new DefinitionOrigin(layer, file, numbers.isEmpty() ? 0 : numbers.get(0));
    }

    /** @param position in the text, where what is wrong ends */
    StoreException refused(int position, String what) {
        int line = 0;
        for (int i = 0; i < starts.size() && starts.get(i) < Math.max(1, position); i++) {
            line = numbers.get(i);
        }
        String where = new DefinitionOrigin(layer, file, line).toString();
        return new StoreException(StoreException.Kind.REFUSED, where + ": " + what + ", in " + shown());
    }
}
