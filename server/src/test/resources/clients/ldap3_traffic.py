"""What programs do with ldap3. Arguments: URL, the administrator's password."""
import sys
from ldap3 import (ALL, ALL_ATTRIBUTES, ALL_OPERATIONAL_ATTRIBUTES, ASYNC, BASE, Connection, DEREF_ALWAYS, LEVEL, MODIFY_ADD, MODIFY_DELETE,
                   MODIFY_INCREMENT, MODIFY_REPLACE, ObjectDef, Reader, SAFE_SYNC, Server, SUBTREE, Writer)
from ldap3.core.exceptions import LDAPAttributeError, LDAPPasswordIsMandatoryError

url, password = sys.argv[1:]
people = "ou=people,dc=example,dc=com"
server = Server(url, get_info=ALL)
directory = Connection(server, "cn=Directory Manager", password, auto_bind=True)

# What get_info=ALL has read: the root DSE, the whole schema.
assert server.info.naming_contexts == ["dc=example,dc=com"], server.info
assert server.info.vendor_name == ["Alder"]
assert server.info.supported_ldap_versions == ["3"]
assert any(each[0] == "1.2.840.113556.1.4.319" for each in server.info.supported_controls)
for name in ("memberOf", "entryUUID", "modifyTimestamp", "pwdAccountLockedTime", "sshPublicKey", "sudoHost", "createTimestamp", "hasSubordinates"):
    assert name in server.schema.attribute_types, name
for name in ("inetOrgPerson", "posixAccount", "posixGroup", "groupOfNames", "sudoRole", "sambaSamAccount"):
    assert name in server.schema.object_classes, name
assert server.schema.ldap_syntaxes and server.schema.matching_rules and server.schema.matching_rule_uses
assert server.schema.modify_time_stamp
for kind in server.schema.attribute_types.values():
    assert not kind.superior or all(name in server.schema.attribute_types for name in kind.superior), kind

# Names are checked against the schema.
try:
    directory.search(people, "(noSuchAttribute=x)")
    raise AssertionError("an unknown name")
except LDAPAttributeError:
    pass

# Every attribute, values in the types of their syntaxes.
assert directory.search(people, "(uid=alice)", attributes=[ALL_ATTRIBUTES, ALL_OPERATIONAL_ATTRIBUTES])
alice = directory.entries[0]
assert alice.uidNumber.value == 20001
assert alice.createTimestamp.value.year >= 2026
assert alice.jpegPhoto.raw_values[0][:2] == b"\xff\xd8"
assert len(str(alice.entryUUID.value).strip("{}")) == 36

# Pages, through the paged search of the standard extension.
found = directory.extend.standard.paged_search(people, "(uid=*)", LEVEL, dereference_aliases=DEREF_ALWAYS, attributes=["uid"], paged_size=1, generator=True)
assert sorted(each["attributes"]["uid"][0] for each in found) == ["alice", "bob", "carol"]

# An entry's life.
dn = "uid=ldap3," + people
assert directory.add(dn, ["inetOrgPerson", "posixAccount"],
                     {"sn": "Třetí", "cn": "ldap3", "uidNumber": 30000, "gidNumber": 20000, "homeDirectory": "/home/x"}), directory.result
assert not directory.add(dn, ["inetOrgPerson"], {"sn": "x", "cn": "x"}) and directory.result["description"] == "entryAlreadyExists"
assert directory.modify(dn, {"uidNumber": [(MODIFY_INCREMENT, [5])], "mail": [(MODIFY_ADD, ["a@b", "c@d"]), (MODIFY_DELETE, ["a@b"])],
                             "sn": [(MODIFY_REPLACE, ["other"])]}), directory.result
assert directory.compare(dn, "uidNumber", "30005")
assert not directory.compare(dn, "uidNumber", "1")
assert directory.modify_dn(dn, "uid=renamed"), directory.result
assert directory.modify_dn("uid=renamed," + people, "uid=renamed", new_superior="dc=example,dc=com"), directory.result
dn = "uid=renamed,dc=example,dc=com"
assert directory.extend.standard.modify_password(dn, new_password="first") is True
generated = directory.extend.standard.modify_password(dn)
assert isinstance(generated, str) and len(generated) > 10
user = Connection(server, dn, generated)
assert user.bind() and user.extend.standard.who_am_i() == "dn:" + dn
user.unbind()
assert directory.delete(dn)
try:
    Connection(server, "uid=alice," + people, "").bind()
    raise AssertionError("an empty password")
except LDAPPasswordIsMandatoryError:
    pass

# Asynchronous: many requests on one connection, answers in any order.
many = Connection(server, "cn=Directory Manager", password, client_strategy=ASYNC, auto_bind=True)
numbers = [many.search("uid=%s,%s" % (uid, people), "(objectClass=*)", BASE, attributes=["uid"]) for uid in ("alice", "bob", "carol") * 20]
for number in reversed(numbers):
    response, result = many.get_response(number)
    assert result["result"] == 0 and len(response) == 1
many.unbind()

# The abstraction layer: objects defined by the schema's classes.
definition = ObjectDef(["inetOrgPerson", "posixAccount"], directory)
cursor = Reader(directory, definition, people, "uid: alice;bob")
assert len(cursor.search()) == 2
writer = Writer.from_cursor(cursor)
writer[0].description = "written by ldap3"
assert writer[0].entry_commit_changes(), directory.result
assert directory.search(people, "(description=written by ldap3)") and len(directory.entries) == 1
safe = Connection(server, client_strategy=SAFE_SYNC)
assert safe.bind()[0]
assert not safe.search("dc=example,dc=com", "(uid=alice)", SUBTREE)[0]
directory.unbind()
print("done")
