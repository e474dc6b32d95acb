#!/bin/sh
# Makes server/dse.ldif, server/schema/99user.ldif and server/db2ldif.ldif with the ns-slapd of this machine (Debian's 389-ds-base), from
# site.ldif. The instance has the suffix dc=example,dc=com, without sample entries.
# make.sh INSTANCE PORT PASSWORD [PID-FILE]    of an instance that runs, whose folder is /etc/dirsrv/slapd-INSTANCE; it is stopped.
set -e
here=$(cd "$(dirname "$0")" && pwd); instance=/etc/dirsrv/slapd-$1; url=ldap://127.0.0.1:$2
ldapmodify -x -c -H "$url" -D 'cn=Directory Manager' -w "$3" -M -f "$here/site.ldif" >/dev/null
ldapwhoami -x -H "$url" -D uid=bob,ou=people,dc=example,dc=com -w wrong >/dev/null 2>&1 || true
ldapwhoami -x -H "$url" -D uid=alice,ou=people,dc=example,dc=com -w alice-secret >/dev/null
pid=$(cat "${4:-/run/dirsrv/slapd-$1.pid}")
kill "$pid"; while kill -0 "$pid" 2>/dev/null; do sleep 0.2; done
mkdir -p "$here/server/schema"
# It writes as its own user.
out=$(mktemp -d); chmod 777 "$out"
ns-slapd db2ldif -D "$instance" -n userRoot -r -a "$out/db2ldif.ldif"
cat "$out/db2ldif.ldif" >"$here/server/db2ldif.ldif"; rm -r "$out"
cp "$instance/schema/99user.ldif" "$here/server/schema/"
sed 's/^nsslapd-rootpw: .*/nsslapd-rootpw: {PBKDF2_SHA256}taken-out/' "$instance/dse.ldif" >"$here/server/dse.ldif"
