package org.alder.perf.engine;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.alder.ldif.LdifGenerator;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.filter.Filter;
import org.alder.partition.query.SearchCursor;
import org.alder.partition.query.SearchQuery;
import org.alder.partition.request.Modification;
import org.alder.partition.request.SearchScope;
import org.alder.partition.store.Snapshot;
import org.alder.partition.update.UpdateOrigin;
import org.alder.partition.update.Updates;

/** One group with many members in a partition of this process. Thread safe. */
final class SampleGroup {
    private static final String DN = "cn=group,ou=users," + LdifGenerator.SUFFIX;
    private static final String MEMBER = "member";
    private static final int ALL_STEPS = Integer.MAX_VALUE;

    private final Partition partition;
    private final Updates updates;
    private final Dn dn;

    SampleGroup(Partition partition) throws DirectoryException {
        this.partition = partition;
        updates = new Updates(partition);
        dn = Dn.parse(partition.schema(), DN);
    }

    /** Appends the group to LDIF that has its superior. */
    static void append(Path ldif, int members) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(ldif, StandardOpenOption.APPEND)) {
            out.write("\ndn: " + DN + "\nobjectClass: top\nobjectClass: groupOfNames\ncn: group\n");
            for (int i = 0; i < members; i++) {
                out.write(MEMBER + ": " + memberText(i) + "\n");
            }
        }
    }

    /** The group has those from 0 to its size; others are free to be added. */
    static byte[] member(long i) {
        return memberText(i).getBytes(StandardCharsets.UTF_8);
    }

    private static String memberText(long i) {
        return "uid=member." + i + ",ou=users," + LdifGenerator.SUFFIX;
    }

    static List<byte[]> members(int count) {
        List<byte[]> values = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            values.add(member(i));
        }
        return values;
    }

    /** Returns when the change is durable. */
    void change(Modification.Kind kind, List<byte[]> values) throws IOException {
        try {
            updates.modify(dn, List.of(new Modification(kind, MEMBER, values)),
                    new UpdateOrigin("cn=Directory Manager", Instant.now())).join();
        } catch (CompletionException e) {
            throw new IOException("the group could not be changed: " + e.getCause().getMessage(), e.getCause());
        }
    }

    /** Whether the group has a member, as a search of the group with a filter finds it. */
    boolean has(byte[] member) throws DirectoryException {
        return matches(dn, SearchScope.BASE, new Filter.Equality(MEMBER, member)) == 1;
    }

    /** How many users have this uid. */
    long usersWith(String uid) throws DirectoryException {
        return matches(partition.suffix(), SearchScope.SUBTREE,
                new Filter.Equality("uid", uid.getBytes(StandardCharsets.UTF_8)));
    }

    private long matches(Dn base, SearchScope scope, Filter filter) throws DirectoryException {
        try (Snapshot snapshot = partition.snapshot();
                SearchCursor found = partition.search(snapshot, new SearchQuery(base, scope, filter, 0, 0))) {
            long count = 0;
            while (found.step(ALL_STEPS) == SearchCursor.Step.MATCH) {
                count++;
            }
            return count;
        }
    }

    void flush() {
        partition.store().maintenance().flush();
    }
}
