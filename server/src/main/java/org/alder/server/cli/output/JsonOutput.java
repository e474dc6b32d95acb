package org.alder.server.cli.output;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.alder.ldif.LdifAttribute;
import org.alder.ldif.LdifEntry;
import org.alder.partition.text.JsonText;
import org.alder.partition.text.Utf8;

/**
 * One object a line: {@code {"dn":"...","attributes":{"cn":["..."],"jpegPhoto":[{"base64":"..."}]}}}. Values are always a list; one that is not
 * UTF-8 is an object. One thread.
 */
public final class JsonOutput implements EntryOutput {
    private final OutputStream out;

    public JsonOutput(OutputStream out) {
        this.out = out;
    }

    @Override
    public void entry(LdifEntry entry) throws IOException {
        Map<String, List<Object>> attributes = new LinkedHashMap<>();
        for (LdifAttribute attribute : entry.attributes()) {
            attributes.computeIfAbsent(attribute.description(), none -> new ArrayList<>(1)).add(value(attribute.value()));
        }
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("dn", entry.dn());
        facts.put("attributes", attributes);
        out.write((JsonText.of(facts) + '\n').getBytes(StandardCharsets.UTF_8));
    }

    private static Object value(byte[] value) {
        String text = Utf8.decodeOrNull(value);
        return text == null ? Map.of("base64", Base64.getEncoder().encodeToString(value)) : text;
    }

    @Override
    public void close() throws IOException {
        out.flush();
    }
}
