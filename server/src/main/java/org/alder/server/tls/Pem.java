package org.alder.server.tls;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The parts of a PEM file (RFC 7468), with any text between them. Stateless. */
final class Pem {
    private static final Pattern PART =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]{1,64})-----(.*?)-----END ([A-Z0-9 ]{1,64})-----", Pattern.DOTALL);

    private Pem() {
    }

    /** @param label such as CERTIFICATE  @param headers whether lines such as Proc-Type stand before the content */
    record Part(String label, byte[] content, boolean headers) {
    }

    static List<Part> parts(Path file, byte[] bytes) throws TlsFileException {
        List<Part> parts = new ArrayList<>();
        Matcher matcher = PART.matcher(new String(bytes, StandardCharsets.ISO_8859_1));
        while (matcher.find()) {
            String label = matcher.group(1);
            String body = matcher.group(2);
            if (!label.equals(matcher.group(3))) {
                throw new TlsFileException(file, "BEGIN " + label + " is followed by END " + matcher.group(3));
            }
            boolean headers = body.contains(":");
            try {
                parts.add(new Part(label, headers ? new byte[0] : Base64.getMimeDecoder().decode(body.strip()), headers));
            } catch (IllegalArgumentException e) {
                throw new TlsFileException(file, "what follows BEGIN " + label + " is not Base64: " + e.getMessage(), e);
            }
        }
        return parts;
    }
}
