package org.alder.partition.error;

/** A replica takes no updates; the leader does. */
public final class NotLeaderException extends StoreException {
    private static final long serialVersionUID = 1L;

    private final String referral;

    /** @param referral the leader's URL, for clients that are to go there; null where they are not, or it is not known */
    public NotLeaderException(String message, String referral) {
        super(Kind.NOT_LEADER, message);
        this.referral = referral;
    }

    public String referral() {
        return referral;
    }
}
