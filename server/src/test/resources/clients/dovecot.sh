#!/bin/sh
# dovecot.sh PACKAGES CONFIGURATION COMMAND...: runs the command where Dovecot runs with its users in the directory. It listens nowhere.
set -e
. "$(dirname "$0")/lay-over.sh"
packages=$1
configuration=$2
shift 2
lay_over etc usr var
rm -rf /etc/dovecot
install_packages "$packages"
add_user dovecot 993
add_user dovenull 994
mkdir -p /etc/dovecot/conf.d
cp "$configuration/dovecot-ldap.conf.ext" /etc/dovecot/
cp "$configuration/auth-ldap.conf.ext" /etc/dovecot/conf.d/
cat >/etc/dovecot/dovecot.conf <<'CONF'
protocols =
ssl = no
log_path = /run/dovecot.log
!include conf.d/auth-ldap.conf.ext
CONF
dovecot
exec "$@"
