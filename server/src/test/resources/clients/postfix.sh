#!/bin/sh
# postfix.sh PACKAGES CONFIGURATION COMMAND...: runs the command where Postfix with its tables of LDAP is installed and configured.
set -e
. "$(dirname "$0")/lay-over.sh"
packages=$1
configuration=$2
shift 2
lay_over etc usr var
rm -rf /etc/postfix
install_packages "$packages"
add_user postfix 991
add_user postdrop 992
cp "$configuration"/alder-*.cf /etc/postfix/
# As the packages' scripts make these: nothing runs them where packages are only unpacked.
echo 'compatibility_level = 3.6' >/etc/postfix/main.cf
grep -E '^(#|ldap)' /usr/share/postfix/dynamicmaps.cf >/etc/postfix/dynamicmaps.cf
exec "$@"
