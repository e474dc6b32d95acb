#!/bin/sh
# Makes server/config.ldif, server/schema/99-user.ldif and server/export.ldif with the programs of an OpenDJ, from site.ldif.
# make.sh FOLDER PORT PASSWORD      of an OpenDJ that runs, with the suffix dc=example,dc=com; it is stopped.
set -e
here=$(cd "$(dirname "$0")" && pwd); url=ldap://127.0.0.1:$2
ldapmodify -x -H "$url" -D 'cn=Directory Manager' -w "$3" -M -f "$here/site.ldif" >/dev/null
ldapwhoami -x -H "$url" -D uid=alice,ou=people,dc=example,dc=com -w wrong >/dev/null 2>&1 || true
ldapwhoami -x -H "$url" -D uid=alice,ou=people,dc=example,dc=com -w alice-secret >/dev/null
"$1/bin/stop-ds" -Q
mkdir -p "$here/server/schema"
"$1/bin/export-ldif" --offline --backendID userRoot --ldifFile "$1/export.ldif" >/dev/null
cp "$1/export.ldif" "$here/server/"
cp "$1/config/schema/99-user.ldif" "$here/server/schema/"
sed '/^userPassword:/d' "$1/config/config.ldif" >"$here/server/config.ldif"
