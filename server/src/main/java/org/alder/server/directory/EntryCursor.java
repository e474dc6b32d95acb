package org.alder.server.directory;

import java.util.List;
import java.util.function.Predicate;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryAttributes;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.filter.AttributeAccess;
import org.alder.partition.request.ListView;
import org.alder.partition.schema.AttributeType;

/**
 * The entries a search finds, pulled one by one at one point in time. Holds no thread between steps; any thread may take the next
 * step, one at a time. Close it.
 *
 * <p>Methods may throw {@link org.alder.partition.error.StoreException}.
 */
public interface EntryCursor extends FoundEntry, AutoCloseable {
    /** How a step ended. */
    enum Step {
        /** The cursor stands on an entry. */
        MATCH,
        /** The cursor stands on a referral object in scope: other servers know more. Comes after all matches. */
        REFERENCE,
        /** There are no more. */
        END,
        /** As many candidates as allowed were examined without a match: step again when others had their turn. */
        PAUSED
    }

    /**
     * Told, before the first step, by whoever will ask for little more than the names of what is found: then the rest of an entry is read
     * only when it is asked for.
     */
    default void preferNames() {
        // Where the entries are at hand nothing is won.
    }

    /**
     * Goes on to the next match, examining at most so many candidates.
     *
     * @throws DirectoryException if a limit is reached; what was returned so far stands
     */
    Step step(int maxExamined) throws DirectoryException;

    /** The DN of the entry found, put together when asked; after {@link Step#MATCH}. */
    @Override
    String dn();

    /** The attributes of the entry found; after {@link Step#MATCH}. */
    @Override
    EntryAttributes attributes();

    /** The attributes without what the entry shares with others or is worked out; after {@link Step#MATCH}. */
    default EntryAttributes stored() {
        return attributes();
    }

    /**
     * Whether {@link #complete} may look at as many entries as a group has members: work for a thread that nobody waits for.
     * After {@link Step#MATCH}.
     */
    default boolean isIncomplete() {
        return false;
    }

    /**
     * Works out the attributes that are neither stored nor operational, such as the members of a dynamic group; {@link #attributes}
     * has them from then on. After {@link Step#MATCH}.
     *
     * @param wanted which types are to be returned: what is not wanted costs nothing
     * @throws DirectoryException adminLimitExceeded if there are too many values
     * @throws org.alder.partition.error.GivenUpException as {@link #requireTime} says
     */
    default void complete(Predicate<AttributeType> wanted) throws DirectoryException {
        // Most entries are complete.
    }

    /** About the memory that the search has gathered so far, beyond what every search has. */
    default long heldBytes() {
        return 0;
    }

    /** Writes the entry's DN as an LDAPDN; after {@link Step#MATCH}. */
    void writeDn(BerWriter out);

    /** The URLs by which the search goes on at other servers; after {@link Step#REFERENCE}. */
    default List<String> references() {
        return List.of();
    }

    /** Which of the entry's attributes may be returned; after {@link Step#MATCH}. */
    AttributeAccess access();

    /** The wanted ones of the operational attributes that are computed and not stored; after {@link Step#MATCH}. */
    List<Attribute> virtualAttributes(Predicate<AttributeType> wanted);

    /** Whether the entries come in the order that was asked for ({@link SearchRequest#list}). */
    default boolean isOrdered() {
        return false;
    }

    /** Where the window is that was asked for; after {@link Step#END}. Null if there is none. */
    default ListView listView() {
        return null;
    }

    /** What the search has cost until now. @param isDetailed whether the indexes that were used are asked for, too */
    default SearchCost cost(boolean isDetailed) {
        return SearchCost.NONE;
    }

    /** How the search was planned, for a person, line by line; of one in several partitions that whose turn it is. Before it ends. */
    default List<String> plan() {
        return List.of();
    }

    /** From where a later search goes on behind this entry; after {@link Step#MATCH}. */
    SearchPosition position();

    @Override
    void close();
}
