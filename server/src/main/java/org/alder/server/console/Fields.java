package org.alder.server.console;

import java.util.List;
import java.util.Map;
import org.alder.partition.text.JsonReader;

/** What a request of the console's page says: an object of JSON. Immutable. */
final class Fields {
    private static final int MOST_ITEMS = 100;

    private final Map<?, ?> values;

    private Fields(Map<?, ?> values) {
        this.values = values;
    }

    static Fields parse(String json) throws ConsoleException {
        try {
            if (JsonReader.parse(json) instanceof Map<?, ?> object) {
                return new Fields(object);
            }
            throw new ConsoleException(ConsoleException.BAD_REQUEST, "expected an object of JSON");
        } catch (IllegalArgumentException e) {
            throw new ConsoleException(ConsoleException.BAD_REQUEST, e.getMessage(), e);
        }
    }

    /** Empty if it is not there. */
    String text(String name) throws ConsoleException {
        Object value = values.get(name);
        if (value != null && !(value instanceof String)) {
            throw wrong(name, "a text");
        }
        return value == null ? "" : (String) value;
    }

    /** @param byDefault if it is not there */
    int number(String name, int least, int most, int byDefault) throws ConsoleException {
        Object value = values.get(name);
        if (value == null) {
            return byDefault;
        }
        if (value instanceof Double number && number >= least && number <= most && number == Math.rint(number)) {
            return number.intValue();
        }
        throw wrong(name, "a whole number from " + least + " to " + most);
    }

    /** False if it is not there. */
    boolean flag(String name) {
        return Boolean.TRUE.equals(values.get(name));
    }

    /** Empty if it is not there. */
    List<String> texts(String name) throws ConsoleException {
        List<?> items = list(name);
        if (items.stream().anyMatch(item -> !(item instanceof String))) {
            throw wrong(name, "a list of texts");
        }
        return items.stream().map(String.class::cast).toList();
    }

    /** Empty if it is not there. */
    List<Fields> objects(String name) throws ConsoleException {
        List<?> items = list(name);
        if (items.stream().anyMatch(item -> !(item instanceof Map))) {
            throw wrong(name, "a list of objects");
        }
        return items.stream().map(item -> new Fields((Map<?, ?>) item)).toList();
    }

    private List<?> list(String name) throws ConsoleException {
        Object value = values.get(name);
        if (value == null) {
            return List.of();
        }
        if (value instanceof List<?> list && list.size() <= MOST_ITEMS) {
            return list;
        }
        throw wrong(name, "a list of at most " + MOST_ITEMS);
    }

    private static ConsoleException wrong(String name, String expected) {
        return new ConsoleException(ConsoleException.BAD_REQUEST, name + ": expected " + expected);
    }
}
