package org.alder.server.migration;

import java.util.ArrayList;
import java.util.List;

/** Takes a line of slapd.conf apart as slapd does: blanks divide it, but for those in quotation marks; a backslash takes the next character as it is. */
final class SlapdWords {
    private SlapdWords() {
    }

    static List<String> of(String line) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean inWord = false;
        boolean inQuotes = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '\\' && i + 1 < line.length()) {
                word.append(line.charAt(++i));
                inWord = true;
            } else if (c == '"') {
                inQuotes = !inQuotes;
                inWord = true;
            } else if (!inQuotes && (c == ' ' || c == '\t' || c == '\n' || c == '\r')) {
                if (inWord) {
                    words.add(word.toString());
                    word.setLength(0);
                }
                inWord = false;
            } else {
                word.append(c);
                inWord = true;
            }
        }
        if (inWord) {
            words.add(word.toString());
        }
        return words;
    }
}
