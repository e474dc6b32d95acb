package org.alder.partition.rule;

import org.alder.partition.ber.BerException;
import org.alder.partition.ber.BerReader;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.AttributeCursor;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.LargeAttribute;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.error.StoreException;
import org.alder.partition.schema.NameParser;

/**
 * How large an entry may be. One that is larger already, because more was allowed when it was made, may become smaller. Immutable.
 *
 * @param bytes most that its record has; values that are kept outside of it do not count
 * @param attributes most user attributes, with their options
 * @param values most values of one of them
 * @param depth most RDNs of its name, those of the suffix among them
 */
public record EntryLimits(int bytes, int attributes, int values, int depth) {
    /** As many bytes as there may be, 10,000 attributes, 10,000,000 values of each, and a name of 1,000 RDNs. */
    public static final EntryLimits STANDARD = new EntryLimits(EntryRecord.MAX_BYTES, 10_000, 10_000_000, 1000);

    /** What an attribute, and a value, takes at least: what has fewer bytes need not be counted. */
    private static final int LEAST_ATTRIBUTE_BYTES = 8;
    private static final int LEAST_VALUE_BYTES = 2;

    public EntryLimits {
        if (bytes < 1 || bytes > EntryRecord.MAX_BYTES || attributes < 1 || values < 1
                || depth < 1 || depth > NameParser.MAX_RDNS) {
            throw new IllegalArgumentException("entries of " + bytes + " bytes, " + attributes + " attributes, " + values
                    + " values of each and " + depth + " RDNs, expected at least 1, at most " + EntryRecord.MAX_BYTES + " bytes and "
                    + NameParser.MAX_RDNS + " RDNs, as clients may send");
        }
    }

    /** @throws DirectoryException adminLimitExceeded if a new entry would be too deep in the tree */
    public void requireDepth(Dn added) throws DirectoryException {
        if (added.size() > depth) {
            throw exceeded("the entry's name would have " + added.size() + " RDNs", depth, "maxEntryDepth");
        }
    }

    /** What to say if an entry below one that is moved would be too deep. */
    public DirectoryException tooDeep(String moved) {
        return exceeded("names of entries below \"" + moved + "\" would have more RDNs than they may", depth, "maxEntryDepth");
    }

    /** @throws DirectoryException adminLimitExceeded if a new entry is too large */
    public EntryRecord require(EntryRecord added) throws DirectoryException {
        return require(null, added);
    }

    /**
     * @param before null if there was none
     * @throws DirectoryException adminLimitExceeded if a change makes an entry larger than it may be
     */
    public EntryRecord require(EntryRecord before, EntryRecord after) throws DirectoryException {
        if (after.length() > bytes && (before == null || after.length() > before.length())) {
            throw exceeded("the entry would take " + after.length() + " bytes", bytes, "maxEntryBytes");
        }
        if (after.hasLarge() || after.length() / LEAST_ATTRIBUTE_BYTES > attributes || after.length() / LEAST_VALUE_BYTES > values) {
            requireAttributes(before, after);
        }
        return after;
    }

    private void requireAttributes(EntryRecord before, EntryRecord after) throws DirectoryException {
        int count = count(after);
        if (count > attributes && (before == null || count > count(before))) {
            throw exceeded("the entry would have " + count + " attributes", attributes, "maxEntryAttributes");
        }
        for (LargeAttribute attribute : after.largeAttributes()) {
            requireValues(before, attribute.description(), attribute.count());
        }
        AttributeCursor cursor = after.cursor(false);
        while (cursor.next()) {
            if (cursor.length() / LEAST_VALUE_BYTES > values) {
                requireValues(before, cursor.description(), values(cursor));
            }
        }
    }

    private void requireValues(EntryRecord before, String description, long count) throws DirectoryException {
        if (count > values && (before == null || count > values(before, description))) {
            throw exceeded("attribute " + description + " would have " + count + " values", values, "maxAttributeValues");
        }
    }

    private static int count(EntryRecord record) {
        int count = record.largeAttributes().size();
        AttributeCursor cursor = record.cursor(false);
        while (cursor.next()) {
            count++;
        }
        return count;
    }

    private static long values(EntryRecord record, String description) {
        LargeAttribute large = record.largeAttribute(description);
        if (large != null) {
            return large.count();
        }
        AttributeCursor cursor = record.cursor(false);
        while (cursor.next()) {
            if (cursor.description().equals(description)) {
                return values(cursor);
            }
        }
        return 0;
    }

    private static long values(AttributeCursor cursor) {
        try {
            BerReader values = cursor.valueReader();
            long count = 0;
            while (values.hasMore()) {
                values.skip();
                count++;
            }
            return count;
        } catch (BerException e) {
            throw new StoreException(StoreException.Kind.CORRUPT, "an entry record that is not BER: " + e.getMessage(), e);
        }
    }

    private static DirectoryException exceeded(String found, int limit, String key) {
        return new DirectoryException(ResultCode.ADMIN_LIMIT_EXCEEDED, found + ", the limit is " + limit + " (" + key + ")");
    }
}
