#!/bin/sh
# Makes slapcat.ldif and slapd.d with OpenLDAP's slapd of this machine, from slapd.conf, acme.schema and site.ldif of this folder.
# Some of what is in the tree then was changed by clients: a wrong password, a move below a younger entry.
# make.sh NEW-FOLDER [FOLDER-OF-MODULES [FOLDER-OF-SCHEMA]]
set -e
here=$(cd "$(dirname "$0")" && pwd); to=$1; modules=${2:-/usr/lib/ldap}; schema=${3:-/etc/ldap/schema}
mkdir -p "$to/work/db" "$to/work/org" "$to/slapd.d"
to=$(cd "$to" && pwd)
cp "$here/acme.schema" "$to/"
sed -e "s#/usr/lib/ldap#$modules#" -e "s#/etc/ldap/schema#$schema#" "$here/slapd.conf" >"$to/slapd.conf"
cd "$to"
# Relative names in slapd.conf are those of this folder.
PATH=$PATH:/usr/sbin
url="ldapi://$(echo "$to/work/socket" | sed 's#/#%2F#g')"
slapd -f slapd.conf -h "$url"
until [ -s work/slapd.pid ]; do sleep 0.1; done
stop() { [ ! -e work/slapd.pid ] || kill "$(cat work/slapd.pid)"; while [ -e work/slapd.pid ]; do sleep 0.1; done; }
trap stop EXIT
as_manager() { "$@" -x -H "$url" -D cn=Manager,dc=example,dc=com -w manager-secret; }
as_manager ldapadd >work/ldapadd.out <"$here/site.ldif"
ldapwhoami -x -H "$url" -D uid=bob,ou=people,dc=example,dc=com -w wrong >/dev/null 2>&1 || true
ldapwhoami -x -H "$url" -D uid=alice,ou=people,dc=example,dc=com -w alice-secret >/dev/null
as_manager ldapadd >>work/ldapadd.out <<END
dn: ou=staff,ou=people,dc=example,dc=com
objectClass: organizationalUnit
ou: staff
END
as_manager ldapmodrdn -r -s ou=staff,ou=people,dc=example,dc=com uid=bob,ou=people,dc=example,dc=com uid=bob
slapcat -f slapd.conf -b dc=example,dc=com >slapcat.ldif 2>work/slapcat.out
stop
slaptest -f slapd.conf -F slapd.d >work/slaptest.out 2>&1 || { cat work/slaptest.out >&2; exit 1; }
