package org.alder.partition.jdbm.entry;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryRecord;

/** Entries as directories have them, and some that none has, at random. One thread. */
final class SampleRecords {
    private static final String[] PLACES = {"Kraków", "Zürich", "Berlin", "", "São Paulo"};
    private static final String[] DOMAINS = {"@example.com", "@mail.example.org", "@x"};
    private static final String[] PARENTS = {",ou=people,dc=example,dc=com", ",dc=example", ",x"};

    private final Random random;
    private int made;

    SampleRecords(Random random) {
        this.random = random;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Attribute attribute(String description, String... values) {
        List<byte[]> bytes = new ArrayList<>();
        for (String value : values) {
            bytes.add(utf8(value));
        }
        return new Attribute(description, bytes);
    }

    private String oneOf(String[] texts) {
        return texts[random.nextInt(texts.length)];
    }

    private byte[] noise(int most) {
        byte[] bytes = new byte[random.nextInt(most)];
        random.nextBytes(bytes);
        return bytes;
    }

    private String digits(int count) {
        StringBuilder digits = new StringBuilder();
        for (int i = 0; i < count; i++) {
            digits.append(random.nextInt(10));
        }
        return digits.toString();
    }

    EntryRecord next() {
        made++;
        List<Attribute> user = new ArrayList<>();
        user.add(attribute("objectClass", "top", "person", "organizationalPerson", "inetOrgPerson"));
        user.add(random.nextInt(30) == 0 ? attribute("uid", "user." + made, "another") : attribute("uid", "user." + made));
        maybe(user, 4, attribute("l", oneOf(PLACES)));
        maybe(user, 4, attribute("mail", "user." + made + oneOf(DOMAINS)));
        maybe(user, 2, attribute("manager", "uid=user." + random.nextInt(1000) + oneOf(PARENTS)));
        maybe(user, 2, attribute("telephoneNumber", digits(random.nextInt(22)), "+48 12 " + digits(7)));
        maybe(user, 3, new Attribute("jpegPhoto;lang-de", List.of(noise(300))));
        maybe(user, 30, new Attribute("x" + "-long".repeat(random.nextInt(60)), List.of(noise(300), noise(20))));
        maybe(user, 20, members());
        maybe(user, 40, attribute("description", "word ".repeat(random.nextInt(2000))));
        maybe(user, 60, new Attribute("audio", List.of(noise(70_000))));
        List<Attribute> operational = new ArrayList<>();
        maybe(operational, 1, attribute("entryUUID", new UUID(random.nextLong(), random.nextLong()).toString()));
        maybe(operational, 1, attribute("createTimestamp", "2026" + digits(10) + "Z"));
        maybe(operational, 2, attribute("entryCSN", "2026" + digits(10) + "." + digits(6) + "Z#000000#000#000000"));
        maybe(operational, 2, attribute("creatorsName", "cn=Directory Manager"));
        return EntryRecord.of(random.nextInt(4) == 0 ? random.nextInt(1 << 30) : 2, utf8(rdn()), user, operational);
    }

    /** Of 0 and 1 each time, of others once in so many. */
    private void maybe(List<Attribute> attributes, int onceIn, Attribute attribute) {
        if (onceIn < 2 || random.nextInt(onceIn) == 0) {
            attributes.add(attribute);
        }
    }

    private Attribute members() {
        List<byte[]> members = new ArrayList<>();
        for (int i = random.nextInt(300); i >= 0; i--) {
            members.add(utf8("uid=user." + random.nextInt(1000) + oneOf(PARENTS)));
        }
        return new Attribute("member", members);
    }

    private String rdn() {
        return switch (random.nextInt(8)) {
            case 0 -> "uid=user." + made + "+l=x";
            case 1 -> "UID=user." + made;
            case 2 -> "cn=" + "y".repeat(random.nextInt(3000));
            case 3 -> "l=" + PLACES[0];
            default -> "uid=user." + made;
        };
    }
}
