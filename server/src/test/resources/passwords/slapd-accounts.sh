#!/bin/sh
# Makes slapd-accounts.ldif with OpenLDAP 2.5 (slapd with the overlay ppolicy): accounts in every state, all with the password "password",
# as slapcat prints them. Ends with an error unless slapd itself does with each what its name says. No test runs it.
# slapd-accounts.sh FOLDER-OF-MODULES NEW-FOLDER
set -e
modules=$1; work=$2; rm -rf "$work"; mkdir -p "$work/db"
cat >"$work/slapd.conf" <<EOF
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
modulepath $modules
pidfile $work/pid
moduleload back_mdb
moduleload ppolicy
database mdb
suffix "dc=example,dc=com"
rootdn "cn=Manager,dc=example,dc=com"
rootpw secret
directory $work/db
lastbind on
access to attrs=userPassword by self write by anonymous auth
access to * by self write by * read
overlay ppolicy
ppolicy_default cn=default,dc=example,dc=com
EOF
url="ldapi://$(echo "$work/socket" | sed 's#/#%2F#g')"
hash() { slappasswd -n -s "${secret:-password}" -h '{SSHA}'; }
# pwdLastSuccess of long ago comes in by no other way.
slapadd -f "$work/slapd.conf" <<EOF
dn: dc=example,dc=com
objectClass: organization
objectClass: dcObject
dc: example
o: Example

dn: uid=out-idle,dc=example,dc=com
objectClass: inetOrgPerson
uid: out-idle
cn: out-idle
sn: out-idle
userPassword: $(hash)
pwdPolicySubentry: cn=idle,dc=example,dc=com
pwdLastSuccess: 20200101000000Z
EOF
slapd -f "$work/slapd.conf" -h "$url"
sleep 1
manager="-x -H $url -D cn=Manager,dc=example,dc=com -w secret"
add() { ldapmodify -e relax $manager >/dev/null; }
policy() { # policy NAME LINES
    name=$1; shift
    { printf 'dn: cn=%s,dc=example,dc=com\nchangetype: add\nobjectClass: device\nobjectClass: pwdPolicy\ncn: %s\npwdAttribute: userPassword\n' "$name" "$name"; printf '%s\n' "$@"; echo; } | add
}
user() { # user NAME LINES
    name=$1; shift
    { printf 'dn: uid=%s,dc=example,dc=com\nchangetype: add\nobjectClass: inetOrgPerson\nuid: %s\ncn: %s\nsn: %s\nuserPassword: %s\n' "$name" "$name" "$name" "$name" "$(hash)"; [ $# = 0 ] || printf '%s\n' "$@"; echo; } | add
}
as() { name=$1; shift; "$@" -x -H "$url" -D "uid=$name,dc=example,dc=com"; }
wrong() { for n in $(seq "$2"); do as "$1" ldapwhoami -w wrong >/dev/null 2>&1 || true; done; }
# Ages and locks that are to last do so for sixty years, those that are to be over have long been.
policy default 'pwdLockout: TRUE' 'pwdMaxFailure: 3' 'pwdLockoutDuration: 0' 'pwdMustChange: TRUE' 'pwdMaxAge: 2000000000' 'pwdInHistory: 3' 'pwdMaxIdle: 2000000000'
policy long 'pwdLockout: TRUE' 'pwdMaxFailure: 3' 'pwdLockoutDuration: 2000000000'
policy short 'pwdLockout: TRUE' 'pwdMaxFailure: 3' 'pwdLockoutDuration: 900' 'pwdMaxAge: 31536000'
policy grace 'pwdMaxAge: 31536000' 'pwdGraceAuthNLimit: 3'
policy idle 'pwdLockout: TRUE' 'pwdMaxIdle: 31536000'
policy free 'pwdMinLength: 8'
of() { echo "pwdPolicySubentry: cn=$1,dc=example,dc=com"; }
user in-new
user in-failed-twice; wrong in-failed-twice 2
user in-used; as in-used ldapwhoami -w password >/dev/null
secret=password-1; user in-changed; secret=; as in-changed ldappasswd -w password-1 -a password-1 -s password
user in-window 'pwdStartTime: 20200101000000Z' 'pwdEndTime: 20990101000000Z'
user in-lock-over "$(of short)" 'pwdChangedTime: 20990101000000Z' 'pwdAccountLockedTime: 20200101000000Z' 'pwdFailureTime: 20200101000000Z'
user in-no-lockout "$(of free)" 'pwdAccountLockedTime: 20200101000000Z'
user in-no-age "$(of free)" 'pwdChangedTime: 20200101000000Z'
user in-young "$(of short)" 'pwdChangedTime: 20990101000000Z'
user in-policy-missing "$(of nowhere)" 'pwdChangedTime: 20200101000000Z'
user out-locked-for-ever 'pwdAccountLockedTime: 000001010000Z'
user out-locked-by-failures; wrong out-locked-by-failures 3
user out-locked-by-failures-for-long "$(of long)"; wrong out-locked-by-failures-for-long 3
user out-locked-since 'pwdAccountLockedTime: 20200101000000Z'
user out-expired "$(of short)" 'pwdChangedTime: 20200101000000Z'
user out-grace-used "$(of grace)" 'pwdChangedTime: 20200101000000Z' 'pwdGraceUseTime: 20250101000000Z' 'pwdGraceUseTime: 20250101000001Z' 'pwdGraceUseTime: 20250101000002Z'
user out-not-yet 'pwdStartTime: 20990101000000Z'
user out-no-more 'pwdEndTime: 20200101000000Z'
user must-change 'pwdReset: TRUE'
user must-change-given; ldappasswd $manager -s password uid=must-change-given,dc=example,dc=com
user grace-1 "$(of grace)" 'pwdChangedTime: 20200101000000Z' 'pwdGraceUseTime: 20250101000000Z'
slapcat -f "$work/slapd.conf" -o ldif-wrap=no >"$work/slapd-accounts.ldif"
for name in $(sed -n 's/^uid: //p' "$work/slapd-accounts.ldif"); do
    answer=$(as "$name" ldapwhoami -e ppolicy -w password 2>&1) && state=in || state=out
    case "$state $answer" in *'must be changed'*) state=must-change;; in*' grace logins remain'*) state=grace-$(echo "$answer" | sed -n 's/.*expired, \([0-9]*\) grace.*/\1/p');; esac
    case $name in $state*) ;; *) echo "$name: slapd says $state: $answer"; failed=1;; esac
done
kill "$(cat "$work/pid")"
[ -z "${failed:-}" ]
