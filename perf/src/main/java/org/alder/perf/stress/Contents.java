package org.alder.perf.stress;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.alder.ldif.LdifAttribute;
import org.alder.ldif.LdifEntry;
import org.alder.ldif.LdifException;
import org.alder.ldif.LdifModify;
import org.alder.ldif.LdifReader;
import org.alder.ldif.LdifRecord;
import org.alder.perf.client.LdapClient;
import org.alder.perf.client.Message;
import org.alder.perf.client.Request;
import org.alder.perf.client.SearchFilter;

/** All entries of one moment, whoever told them, as the trees of the workers. Immutable once it is read. */
final class Contents {
    private final List<Tree> trees = new ArrayList<>();

    /** @param entries the attributes of each by its DN */
    private Contents(int workers, Map<String, Map<String, SortedSet<String>>> entries) throws DifferenceException {
        for (int i = 0; i < workers; i++) {
            trees.add(new Tree(StressData.root(i)));
        }
        int known = 0;
        for (Map.Entry<String, Map<String, SortedSet<String>>> entry : entries.entrySet()) {
            int worker = worker(entry.getKey());
            if (worker >= 0 && worker < workers) {
                trees.get(worker).put(entry.getKey(), Tree.known(entry.getValue()));
            } else if (entry.getKey().equals(StressData.SHARED_GROUP)) {
                takeShared(entry.getValue().getOrDefault(Tree.MEMBER, new TreeSet<>()));
            } else if (!entry.getKey().equals(StressData.SUFFIX)) {
                throw new DifferenceException("the entry " + entry.getKey() + " is nobody's");
            }
            known++;
        }
        if (known < workers + 2) {
            throw new DifferenceException("only " + known + " entries: " + entries.keySet());
        }
    }

    /** Whose subtree an entry is in, or -1. */
    private static int worker(String dn) {
        String rest = dn.endsWith("," + StressData.SUFFIX) ? dn.substring(0, dn.length() - StressData.SUFFIX.length() - 1) : "";
        String rdn = rest.substring(rest.lastIndexOf(',') + 1);
        return rdn.matches("ou=w[0-9]{1,4}") ? Integer.parseInt(rdn.substring("ou=w".length())) : -1;
    }

    private void takeShared(SortedSet<String> members) throws DifferenceException {
        TreeSet<String> rest = new TreeSet<>(members);
        for (int i = 0; i < trees.size(); i++) {
            int worker = i;
            members.stream().filter(member -> StressData.isMemberOf(worker, member)).forEach(member -> {
                trees.get(worker).addShared(member);
                rest.remove(member);
            });
        }
        SortedSet<String> lasting = StressData.lastingMembers();
        if (!rest.equals(lasting)) {
            rest.removeAll(lasting);
            throw new DifferenceException("of the members of the shared group that nobody changes there are "
                    + members.stream().filter(lasting::contains).count() + ", expected " + lasting.size() + "; strange ones: " + rest);
        }
    }

    /** By one search over all. */
    static Contents read(LdapClient client, int workers) throws IOException, DifferenceException {
        LdapClient.Answer answer = client.send(new Request.Search(StressData.SUFFIX, Request.Scope.SUBTREE,
                new SearchFilter.Present("objectclass"), List.of())).expect(0);
        Map<String, Map<String, SortedSet<String>>> entries = new TreeMap<>();
        for (Message entry : answer.entries()) {
            if (entries.put(entry.text(), entry.attributes()) != null) {
                throw new DifferenceException("one search returned " + entry.text() + " twice");
            }
        }
        return new Contents(workers, entries);
    }

    /** What a follower's copy holds. */
    static Contents of(int workers, Map<String, Map<String, SortedSet<String>>> entries) throws DifferenceException {
        return new Contents(workers, entries);
    }

    /** What was exported. */
    static Contents read(Path ldif, int workers) throws IOException, DifferenceException {
        Map<String, Map<String, SortedSet<String>>> entries = new TreeMap<>();
        try (LdifReader reader = new LdifReader(Files.newInputStream(ldif))) {
            for (LdifRecord record = reader.next(); record != null; record = reader.next()) {
                if (record instanceof LdifModify change && change.dn().equals(SchemaRequests.DN)) {
                    // What workers defined over LDAP stands first.
                    continue;
                }
                if (!(record instanceof LdifEntry entry)) {
                    throw new DifferenceException("the export " + ldif + " has a change of " + record.dn());
                }
                Map<String, SortedSet<String>> attributes = new TreeMap<>();
                for (LdifAttribute attribute : entry.attributes()) {
                    attributes.computeIfAbsent(attribute.description().toLowerCase(Locale.ROOT), name -> new TreeSet<>())
                            .add(attribute.text());
                }
                entries.put(entry.dn(), attributes);
            }
        } catch (LdifException e) {
            throw new DifferenceException("the export " + ldif + " is not LDIF: " + e.getMessage());
        }
        return new Contents(workers, entries);
    }

    Tree tree(int worker) {
        return trees.get(worker);
    }

    /** What is in one of two trees and not in the other, for a message. */
    static String differences(Tree found, Tree expected) {
        List<String> lines = new ArrayList<>();
        TreeSet<String> names = new TreeSet<>(found.entries().keySet());
        names.addAll(expected.entries().keySet());
        for (String dn : names) {
            Map<String, SortedSet<String>> one = found.entries().get(dn);
            Map<String, SortedSet<String>> other = expected.entries().get(dn);
            if (one == null || other == null || Tree.hash(dn, one) != Tree.hash(dn, other)) {
                lines.add(dn + ": found " + one + ", expected " + other);
            }
        }
        if (!found.sharedMembers().equals(expected.sharedMembers())) {
            lines.add("members of the shared group: found " + found.sharedMembers() + ", expected " + expected.sharedMembers());
        }
        return lines.isEmpty() ? "nothing differs" : String.join("\n  ", lines);
    }
}
