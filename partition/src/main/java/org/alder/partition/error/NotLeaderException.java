package org.alder.partition.error;

/** A replica takes no updates; the leader does. */
public final class NotLeaderException extends StoreException {
    private static final long serialVersionUID = 1L;

    private final String referral;
    private final boolean handsOn;
    private final String leader;

    /** @param referral the leader's URL, for clients that are to go there; null where they are not, or it is not known */
    public NotLeaderException(String message, String referral) {
        this(message, referral, false, null);
    }

    private NotLeaderException(String message, String referral, boolean handsOn, String leader) {
        super(Kind.NOT_LEADER, message);
        this.referral = referral;
        this.handsOn = handsOn;
        this.leader = leader;
    }

    /** For updates that are handed on to the leader. @param leader its name; null while none is known */
    public static NotLeaderException handingOn(String message, String leader) {
        return new NotLeaderException(message, null, true, leader);
    }

    public String referral() {
        return referral;
    }

    /** Whether this member hands updates on to the leader, instead of having clients go there. */
    public boolean handsOn() {
        return handsOn;
    }

    /** The member to whom they are handed on; null while none is known. */
    public String leader() {
        return leader;
    }
}
