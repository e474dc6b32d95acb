package org.alder.perf.stress;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** A configuration for the next start: other indexes, other sizes, so that much is flushed, merged and built anew. Stateless. */
final class RandomSettings {
    private static final List<String> TYPES = List.of("objectClass eq,pres", "objectClass eq", "uid eq", "cn eq,sub", "cn eq",
            "sn eq,sub", "sn sub", "sn eq inline=description,employeeType", "description eq", "description eq,sub", "employeeType eq", "employeeType eq,pres",
            "displayName eq,sub", "uidNumber eq", "entryUUID eq", "entryCSN eq");

    private RandomSettings() {
    }

    static void write(Path file, SplittableRandom random) throws IOException {
        List<String> lines = new ArrayList<>(List.of("dn: cn=config", "objectClass: alderServer", "tls: none",
                "passwordScheme: ssha512", "passwordPolicy: none", "lastLoginSeconds: 0", "audit: off", "examinedLimit: 0",
                "firstMessageTimeoutSeconds: 0", "messageTimeoutSeconds: 0", "idleTimeoutSecondsBeforeBind: 0", "",
                "dn: cn=example,cn=config", "objectClass: alderPartition", "suffix: " + StressData.SUFFIX, "reference: member",
                "referencePlaceholder: " + Tree.PLACEHOLDER, "memberOf: member", "primaryKey: none"));
        lines.add("memoryLayerBytes: " + oneOf(random, "64k", "64k", "256k", "1m"));
        lines.add("compression: " + oneOf(random, "none", "coded"));
        lines.add("largeAttributeThreshold: " + oneOf(random, "0", "10", "100", "1000"));
        lines.add("duplicateThreshold: " + oneOf(random, "2", "10", "1000"));
        lines.add("changeHistoryBytes: " + oneOf(random, "0", "64k", "1m", "8m"));
        lines.add("mergeBytesPerSecond: " + oneOf(random, "0", "100g"));
        lines.add("diskLowBytes: " + oneOf(random, "0", "1m", "8m"));
        lines.add("index: member eq,pres");
        String last = "";
        for (String index : TYPES) {
            String type = index.substring(0, index.indexOf(' '));
            if (!type.equals(last) && random.nextInt(2) == 0) {
                lines.add("index: " + index);
                last = type;
            }
        }
        Files.writeString(file, String.join("\n", lines) + "\n");
    }

    private static String oneOf(SplittableRandom random, String... values) {
        return values[random.nextInt(values.length)];
    }
}
