#!/bin/sh
# Makes slapd.ldif with OpenLDAP 2.5 (slapd, slapd-contrib): entries with the password "password" in every scheme that slappasswd
# and the modules write, as slapcat prints them. No test runs it. slapd.sh FOLDER-OF-MODULES NEW-FOLDER
set -e
modules=$1; work=$2; rm -rf "$work"; mkdir -p "$work/db"
cat >"$work/slapd.conf" <<EOF
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
modulepath $modules
pidfile $work/pid
moduleload back_mdb
moduleload pw-sha2
moduleload pw-pbkdf2
moduleload pw-apr1
moduleload pw-netscape
moduleload argon2
moduleload ppolicy
database mdb
suffix "dc=example,dc=com"
rootdn "cn=Manager,dc=example,dc=com"
rootpw secret
directory $work/db
overlay ppolicy
ppolicy_default cn=policy,dc=example,dc=com
EOF
slapd -f "$work/slapd.conf" -h "ldapi://$(echo "$work/socket" | sed 's#/#%2F#g')"
url="ldapi://$(echo "$work/socket" | sed 's#/#%2F#g')"
sleep 1
add() { ldapmodify -x -e relax -H "$url" -D cn=Manager,dc=example,dc=com -w secret >/dev/null; }
printf 'dn: dc=example,dc=com\nchangetype: add\nobjectClass: organization\nobjectClass: dcObject\ndc: example\no: Example\n\n' | add
printf 'dn: cn=policy,dc=example,dc=com\nchangetype: add\nobjectClass: device\nobjectClass: pwdPolicy\ncn: policy\npwdAttribute: userPassword\npwdLockout: TRUE\npwdMaxFailure: 3\npwdLockoutDuration: 0\npwdMustChange: TRUE\n\n' | add
user() { # user NAME LINES
    name=$1; shift
    { printf 'dn: uid=%s,dc=example,dc=com\nchangetype: add\nobjectClass: inetOrgPerson\nuid: %s\ncn: %s\nsn: %s\n' "$name" "$name" "$name" "$name"; printf '%s\n' "$@"; echo; } | add
}
hash() { # hash SCHEME [OPTION...]
    scheme=$1; shift
    case $scheme in *SHA???) module=pw-sha2;; PBKDF2*) module=pw-pbkdf2;; APR1|BSDMD5) module=pw-apr1;; *) module=argon2;; esac
    case $scheme in PBKDF2*) module=pw-pbkdf2;; esac
    slappasswd -n -s password -o module-path="$modules" -o module-load=$module -h "{$scheme}" "$@"
}
for scheme in SSHA SHA SMD5 MD5 CLEARTEXT SSHA256 SSHA384 SSHA512 SHA256 SHA384 SHA512 PBKDF2 PBKDF2-SHA1 PBKDF2-SHA256 PBKDF2-SHA512 APR1 BSDMD5 ARGON2; do
    user "$(echo in-$scheme | tr A-Z a-z)" "userPassword: $(hash $scheme)"
done
crypt() { user "in-crypt-$1" "userPassword: $(hash CRYPT -c "$2")"; }
crypt des '%.2s'; crypt md5 '$1$%.8s$'; crypt sha256 '$5$%.16s$'; crypt sha512 '$6$%.16s$'; crypt sha512-rounds '$6$rounds=10000$%.16s$'
crypt 2a '$2a$05$%.22s'; crypt 2b '$2b$05$%.22s'; crypt 2y '$2y$05$%.22s'; crypt scrypt '$7$A6..../....%.16s$'
# slapd writes this and does not let its user in; Alder does.
user in-cleartext-braces 'userPassword: {CLEARTEXT}password'
user in-netscape "userPassword: {NS-MTA-MD5}$(printf '%s\131password\367%s' 0123456789abcdef0123456789abcdef 0123456789abcdef0123456789abcdef | md5sum | cut -c 1-32)0123456789abcdef0123456789abcdef"
# What slapd itself keeps out without another server or file, or with what nobody can know.
user out-sasl 'userPassword: {SASL}out-sasl@EXAMPLE.COM'
user out-unix 'userPassword: {UNIX}out-unix'
user out-unknown 'userPassword: {UNKNOWN}password'
user out-damaged 'userPassword: {SSHA}password'
user out-crypt 'userPassword: {CRYPT}password'
user out-star 'userPassword: {CRYPT}*'
user out-none 'description: no password'
# What the password policy says of those with the right password: locked for ever, locked at some time, no failure too many.
user policy-out-locked-for-ever "userPassword: $(hash SSHA)" 'pwdAccountLockedTime: 000001010000Z'
user policy-out-locked-by-failures "userPassword: $(hash SSHA)"
user policy-in-failed-once "userPassword: $(hash SSHA)"
for n in 1 2 3; do ldapwhoami -x -H "$url" -D uid=policy-out-locked-by-failures,dc=example,dc=com -w wrong 2>/dev/null || true; done
# crypt(3) knows these, and Alder does not.
crypt() { user "lost-crypt-$1" "userPassword: $(hash CRYPT -c "$2")"; }
crypt bsdi '_J9..%.4s'; crypt sunmd5 '$md5,rounds=5000$%.8s$'; crypt sha1 '$sha1$1000$%.8s$'; crypt nt '$3$'; crypt gost '$gy$j9T$%.16s$'; crypt yescrypt '$y$j9T$%.16s$'
# Who may log in at slapd: the tests expect the same of Alder.
for name in $(ldapsearch -x -LLL -o ldif-wrap=no -H "$url" -D cn=Manager,dc=example,dc=com -w secret -b dc=example,dc=com "(uid=*)" uid | sed -n 's/^uid: //p'); do
    ldapwhoami -x -H "$url" -D "uid=$name,dc=example,dc=com" -w password >/dev/null 2>&1 && echo "in $name" || echo "out $name"
done >"$work/logins"
ldapwhoami -x -H "$url" -D uid=policy-in-failed-once,dc=example,dc=com -w wrong 2>/dev/null || true
kill "$(cat "$work/pid")"
sleep 1
slapcat -f "$work/slapd.conf" -o ldif-wrap=no >"$work/slapd.ldif"
