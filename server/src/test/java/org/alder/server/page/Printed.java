package org.alder.server.page;

import static org.junit.Assert.assertTrue;

import java.util.regex.Pattern;

/** What a page says is printed, beside what is: ... in a line stands for anything in that line, and as a line of its own for any lines. */
final class Printed {
    private Printed() {
    }

    static void compare(String expected, String printed) {
        StringBuilder pattern = new StringBuilder();
        for (String line : expected.split("\n")) {
            if (line.equals("...")) {
                pattern.append("([^\n]*\n)*");
            } else {
                pattern.append(Pattern.quote(line).replace("...", "\\E[^\n]*\\Q")).append('\n');
            }
        }
        assertTrue("the page says that this is printed:\n" + expected + "and this was:\n" + printed, Pattern.matches(pattern.toString(), printed));
    }
}
