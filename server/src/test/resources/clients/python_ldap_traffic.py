"""What programs do with python-ldap. Arguments: URL, the administrator's password."""
import sys
import ldap
import ldap.modlist
import ldap.schema
import ldap.syncrepl
from ldap.controls import SimplePagedResultsControl
from ldap.controls.libldap import AssertionControl, MatchedValuesControl
from ldap.controls.ppolicy import PasswordPolicyControl
from ldap.controls.readentry import PostReadControl, PreReadControl
from ldap.controls.simple import ManageDSAITControl, ProxyAuthzControl
from ldap.controls.sss import SSSRequestControl

url, password = sys.argv[1:]
people = "ou=people,dc=example,dc=com"
alice = "uid=alice," + people


def connect():
    connection = ldap.initialize(url)
    connection.simple_bind_s("cn=Directory Manager", password)
    return connection


def refused(error, call, *arguments):
    try:
        call(*arguments)
    except error:
        return
    raise AssertionError("expected %s" % error)


directory = connect()
root = ldap.initialize(url).read_rootdse_s()
assert root["vendorName"] == [b"Alder"], root
assert directory.read_rootdse_s()["namingContexts"] == [b"dc=example,dc=com"]

# The schema, by way of subschemaSubentry, every definition parsed.
dn, schema = ldap.schema.urlfetch(url + "/????")
assert dn == "cn=schema", dn
for kind in (ldap.schema.ObjectClass, ldap.schema.AttributeType, ldap.schema.MatchingRule, ldap.schema.LDAPSyntax):
    assert len(schema.listall(kind)) > 20, kind
must, may = schema.attribute_types(["inetOrgPerson"])
assert {"sn", "cn"} <= {kind.names[0] for kind in must.values()}
assert schema.get_structural_oc(["top", "person", "organizationalPerson", "inetOrgPerson"])
assert not [oid for oid in schema.listall(ldap.schema.AttributeType) if schema.get_obj(ldap.schema.AttributeType, oid) is None]

# Pages, asynchronous, each with its response control.
control = SimplePagedResultsControl(True, size=2, cookie="")
seen = []
while True:
    request = directory.search_ext(people, ldap.SCOPE_ONELEVEL, "(uid=*)", ["uid"], serverctrls=[control])
    kind, data, number, answers = directory.result3(request)
    seen += [attributes["uid"][0] for dn, attributes in data]
    control.cookie = [each for each in answers if each.controlType == SimplePagedResultsControl.controlType][0].cookie
    if not control.cookie:
        break
assert sorted(seen) == [b"alice", b"bob", b"carol"], seen

# Sorted, matched values, types only, a missing base.
sort = SSSRequestControl(criticality=True, ordering_rules=["-uidNumber"])
data = directory.result3(directory.search_ext(people, ldap.SCOPE_ONELEVEL, "(uid=*)", ["uid"], serverctrls=[sort]))[1]
assert [attributes["uid"][0] for dn, attributes in data] == [b"carol", b"bob", b"alice"], data
values = MatchedValuesControl(True, "((memberUid=bob))")
data = directory.result3(directory.search_ext("cn=users,ou=groups,dc=example,dc=com", ldap.SCOPE_BASE, "(cn=*)", ["memberUid"],
                                              serverctrls=[values]))[1]
assert data[0][1] == {"memberUid": [b"bob"]}, data
assert directory.search_s(alice, ldap.SCOPE_BASE, "(cn=*)", ["cn"], 1)[0][1] == {"cn": []}
refused(ldap.NO_SUCH_OBJECT, directory.search_s, "ou=none,dc=example,dc=com", ldap.SCOPE_SUBTREE)

# An entry's life, with the controls of careful writers.
dn = "uid=py\\, thon," + people
entry = {"objectClass": [b"inetOrgPerson"], "uid": [b"py, thon"], "cn": [b"Python"], "sn": ["Žluťoučký".encode()]}
directory.add_s(dn, ldap.modlist.addModlist(entry))
refused(ldap.ALREADY_EXISTS, directory.add_s, dn, ldap.modlist.addModlist(entry))
directory.modify_s(dn, ldap.modlist.modifyModlist(entry, {**entry, "sn": [b"Changed"], "mail": [b"p@example.com"]}))
request = directory.modify_ext(dn, [(ldap.MOD_REPLACE, "sn", [b"Again"])],
                               serverctrls=[PreReadControl(True, ["sn"]), PostReadControl(True, ["sn", "modifyTimestamp"])])
answers = directory.result3(request)[3]
assert answers[0].entry["sn"] in ([b"Changed"], ["Changed"]), answers[0].entry
assert answers[1].entry["sn"] in ([b"Again"], ["Again"]), answers[1].entry
refused(ldap.ASSERTION_FAILED, directory.modify_ext_s, dn, [(ldap.MOD_REPLACE, "sn", [b"x"])], [AssertionControl(True, "(sn=other)")])
assert directory.compare_s(dn, "sn", b"again") is True
assert directory.compare_s(dn, "sn", b"other") is False
directory.rename_s(dn, "uid=renamed", None, 1)
directory.rename_s("uid=renamed," + people, "uid=moved", "dc=example,dc=com", 1)
directory.modify_ext_s("uid=moved,dc=example,dc=com", [(ldap.MOD_DELETE, "mail", None)], [ManageDSAITControl()])

# Passwords, identities, several binds on one connection, reconnecting.
directory.passwd_s("uid=moved,dc=example,dc=com", None, "first")
user = ldap.ldapobject.ReconnectLDAPObject(url)
user.simple_bind_s("uid=moved,dc=example,dc=com", "first")
assert user.whoami_s() == "dn:uid=moved,dc=example,dc=com"
user.passwd_s("uid=moved,dc=example,dc=com", "first", "the second one")
refused(ldap.INVALID_CREDENTIALS, user.simple_bind_s, "uid=moved,dc=example,dc=com", "first")
user.simple_bind_s("uid=moved,dc=example,dc=com", "the second one")
request = directory.extop(ldap.extop.ExtendedRequest("1.3.6.1.4.1.4203.1.11.3", None), [ProxyAuthzControl(True, b"dn:" + alice.encode())])
assert directory.extop_result(request)[1] == b"dn:" + alice.encode()
directory.delete_s("uid=moved,dc=example,dc=com")
refused(ldap.UNWILLING_TO_PERFORM, user.simple_bind_s, alice, "")


class Copy(ldap.ldapobject.SimpleLDAPObject, ldap.syncrepl.SyncreplConsumer):
    """A copy of the people by entryUUID, as python-ldap's consumer keeps one."""

    def __init__(self):
        super().__init__(url)
        self.entries = {}
        self.cookie = None
        self.present = set()

    def syncrepl_set_cookie(self, cookie):
        self.cookie = cookie

    def syncrepl_get_cookie(self):
        return self.cookie

    def syncrepl_entry(self, dn, attributes, uuid):
        self.entries[uuid] = dn

    def syncrepl_delete(self, uuids):
        for uuid in uuids:
            self.entries.pop(uuid, None)

    def syncrepl_present(self, uuids, refreshDeletes=False):
        if uuids is None:
            if not refreshDeletes:
                self.entries = {uuid: dn for uuid, dn in self.entries.items() if uuid in self.present}
            self.present = set()
        else:
            self.present.update(uuids)

    def poll(self):
        request = self.syncrepl_search(people, ldap.SCOPE_ONELEVEL, mode="refreshOnly", cookie=self.cookie, filterstr="(uid=*)")
        while self.syncrepl_poll(msgid=request, all=1):
            pass
        return sorted(ldap.dn.explode_dn(dn, True)[0] for dn in self.entries.values())


copy = Copy()
copy.simple_bind_s("cn=Directory Manager", password)
assert copy.poll() == ["alice", "bob", "carol"], copy.entries
assert copy.cookie
copied = "uid=copied," + people
directory.add_s(copied, ldap.modlist.addModlist({**entry, "uid": [b"copied"]}))
assert copy.poll() == ["alice", "bob", "carol", "copied"], copy.entries
directory.rename_s(copied, "uid=other", None, 1)
assert copy.poll() == ["alice", "bob", "carol", "other"], copy.entries
directory.delete_s("uid=other," + people)
assert copy.poll() == ["alice", "bob", "carol"], copy.entries

# The password policy control: a password that an administrator has set is changed before anything else.
policed = "uid=policed," + people
directory.add_s(policed, ldap.modlist.addModlist({**entry, "uid": [b"policed"], "userPassword": [b"first of its kind"]}))
directory.modify_s(policed, [(ldap.MOD_REPLACE, "pwdReset", [b"TRUE"])])
user = ldap.initialize(url)
request = user.simple_bind(policed, "first of its kind", serverctrls=[PasswordPolicyControl()])
answers = user.result3(request)[3]
policy = [each for each in answers if each.controlType == PasswordPolicyControl.controlType][0]
assert policy.error == 2 and policy.graceAuthNsRemaining is None, vars(policy)
refused(ldap.INSUFFICIENT_ACCESS, user.search_s, policed, ldap.SCOPE_BASE)
user.passwd_s(None, "first of its kind", "second of its kind")
assert user.whoami_s() == "dn:" + policed
assert user.search_s(policed, ldap.SCOPE_BASE, attrlist=["uid"])[0][0] == policed
user.simple_bind_s(policed, "second of its kind")
for attempt in range(10):
    refused(ldap.INVALID_CREDENTIALS, user.simple_bind_s, policed, "wrong")
refused(ldap.INVALID_CREDENTIALS, user.simple_bind_s, policed, "second of its kind")
directory.delete_s(policed)

directory.unbind_s()
print("done")
