package org.alder.server.console;

import static org.junit.Assert.assertEquals;

import org.alder.partition.text.Utf8;

/** What a browser sends to the console: it is read, or refused with a message for the person who sits there. */
public final class ConsoleFuzz {
    private ConsoleFuzz() {
    }

    private interface Reading {
        void read() throws ConsoleException;
    }

    public static void request(byte[] input) {
        String text = Utf8.decodeOrNull(input);
        if (text != null) {
            reads(() -> readAll(Fields.parse(text)));
        }
    }

    private static void readAll(Fields fields) throws ConsoleException {
        for (String name : new String[] {"dn", "password", "base", "entries", "attributes", "changes", ""}) {
            fields.flag(name);
            reads(() -> fields.text(name));
            reads(() -> fields.texts(name));
            reads(() -> {
                int number = fields.number(name, 1, 200, 7);
                assertEquals(number, Math.max(1, Math.min(200, number)));
            });
        }
        for (Fields each : fields.objects("changes")) {
            each.text("kind");
        }
    }

    private static void reads(Reading reading) {
        try {
            reading.read();
        } catch (ConsoleException e) {
            assertEquals(e.getMessage(), ConsoleException.BAD_REQUEST, e.status());
        }
    }
}
