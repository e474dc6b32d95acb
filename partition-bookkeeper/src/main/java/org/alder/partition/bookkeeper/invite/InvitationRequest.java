package org.alder.partition.bookkeeper.invite;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;

/**
 * What a machine asks a member for that has been invited (docs/format/invitation.md; do not change without a new version).
 *
 * @param isKept whether it has written down what it got; else it asks for that
 * @param id     of the invitation
 * @param asker  random, of the machine: who has asked first may ask again, where the answer was lost
 */
record InvitationRequest(boolean isKept, byte[] id, byte[] asker) {
    static final int ASKER_BYTES = 16;
    private static final int BYTES = 1 + JoinToken.ID_BYTES + ASKER_BYTES;

    byte[] bytes() {
        return ByteBuffer.allocate(BYTES).put((byte) (isKept ? 1 : 0)).put(id).put(asker).array();
    }

    /** @throws DirectoryException protocolError */
    static InvitationRequest parse(byte[] bytes) throws DirectoryException {
        if (bytes == null || bytes.length != BYTES || bytes[0] < 0 || bytes[0] > 1) {
            throw new DirectoryException(ResultCode.PROTOCOL_ERROR, "an invitation is asked for with " + BYTES + " bytes, of which the first is 0 or 1; found "
                    + (bytes == null ? "no value" : bytes.length + " bytes"));
        }
        return new InvitationRequest(bytes[0] == 1, Arrays.copyOfRange(bytes, 1, 1 + JoinToken.ID_BYTES), Arrays.copyOfRange(bytes, 1 + JoinToken.ID_BYTES, BYTES));
    }
}
