package org.alder.server.resource;

/** For what the server holds memory of clients: so refusals name it, and so it is shown who holds what. */
public enum Holding {
    /** Requests, and records of TLS, of which not all has come. */
    UNFINISHED_REQUEST("unfinishedRequests", "a request that is not whole"),
    /** Requests that wait until those before them are begun. */
    WAITING_REQUEST("waitingRequests", "a request that waits for others"),
    /** Requests that are being answered, as they are when they are decoded. */
    REQUEST("requests", "a request"),
    /** Filters, candidates, orders, list views, gathered entries and places of searches that are being answered. */
    SEARCH("searches", "a search"),
    /** Searches that are told changes, and the changes that wait for them. */
    FOLLOWED_SEARCH("followedSearches", "a search that is told changes"),
    /** Updates that wait for the end of their transaction. */
    TRANSACTION("transactions", "an update of a transaction"),
    /** What an authentication has to know until the client's next bind. */
    AUTHENTICATION("authentications", "an authentication that is not at its end"),
    /** Answers that the client has not read. */
    UNREAD_ANSWER("unreadAnswers", "answers that are not read");

    private final String label;
    private final String text;

    Holding(String label, String text) {
        this.label = label;
        this.text = text;
    }

    /** As figures call all of them together. */
    public String label() {
        return label;
    }

    /** One of them, in messages. */
    String text() {
        return text;
    }
}
