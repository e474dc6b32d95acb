package org.alder.partition.bookkeeper.distant;

import java.net.ProtocolException;
import java.util.Arrays;
import org.alder.partition.error.StoreException;

/** The head of what is answered to a {@link StoreQuestion}: that it was done, with what follows, or why it could not be. Stateless. */
final class StoreAnswer {
    private static final int VERSION = 1;
    private static final int DONE = 0;
    private static final int FAILED = 1;

    private StoreAnswer() {
    }

    /** What was asked for is for the caller to write behind it. */
    static MessageWriter done() {
        return new MessageWriter().octet(VERSION).octet(DONE);
    }

    static byte[] failed(StoreException failure) {
        return new MessageWriter().octet(VERSION).octet(FAILED).text(failure.kind().name()).text(String.valueOf(failure.getMessage())).toByteArray();
    }

    /**
     * What was asked for.
     *
     * @throws StoreException as at the one that was asked
     */
    static MessageReader read(byte[] answer) throws ProtocolException {
        MessageReader in = new MessageReader(answer);
        int version = in.octet();
        int outcome = in.octet();
        if (version != VERSION || outcome > FAILED) {
            throw new ProtocolException("an answer of version " + version + " and outcome " + outcome + ", expected version " + VERSION);
        }
        if (outcome == FAILED) {
            String kind = in.text();
            String message = in.text();
            throw new StoreException(Arrays.stream(StoreException.Kind.values()).filter(each -> each.name().equals(kind)).findFirst()
                    .orElse(StoreException.Kind.IO), message);
        }
        return in;
    }
}
