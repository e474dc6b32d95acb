package org.alder.server.protocol.search;

import java.util.ArrayList;
import java.util.List;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.schema.Schema;
import org.alder.server.control.ResponseControl;
import org.alder.server.control.search.AccountUsability;
import org.alder.server.directory.EntryCursor;
import org.alder.server.policy.AccountAttributes;
import org.alder.server.policy.AccountLogins;
import org.alder.server.policy.AccountStanding;
import org.alder.server.protocol.encode.EntryControls;

/**
 * The account usability control of each account that a search returns, for who may read what it is made of. One thread at a time.
 *
 * @param others what else comes with the entries
 */
record AccountUsabilities(Schema schema, AccountLogins logins, EntryControls others) implements EntryControls {
    private static final List<String> TOLD = List.of(AccountAttributes.LOCKED_SINCE, AccountAttributes.CHANGED, AccountAttributes.RESET);

    @Override
    public List<ResponseControl> of(EntryCursor entry) throws DirectoryException {
        List<ResponseControl> controls = new ArrayList<>(others.of(entry));
        boolean mayKnow = TOLD.stream().allMatch(name -> entry.access().mayRead(schema.attributeType(name)));
        AccountStanding standing = mayKnow ? logins.standing(Dn.parse(schema, entry.dn())) : null;
        if (standing != null) {
            controls.add(AccountUsability.CONTROL.response(standing));
        }
        return controls;
    }
}
