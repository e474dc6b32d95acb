"""Makes 389-accounts.ldif, opendj-accounts.ldif and freeipa-accounts.ldif: accounts in every state that these servers write to their
entries, by what their sources say, all with the password "password". The names say what each of them does with them. No test runs it."""
import base64
import hashlib
import os


def ssha(password=b"password"):
    salt = os.urandom(8)
    return "{SSHA}" + base64.b64encode(hashlib.sha1(password + salt).digest() + salt).decode()


OVER, TO_COME = "20200101000000Z", "20990101000000Z"
OF_389 = {
    "in-plain": ["nsUniqueId: 5a8f1c01-c8a811f1-a8d3e6b5-0c2f7d10", "passwordGraceUserTime: 0", "passwordExpWarned: 0"],
    "in-lock-false": ["nsAccountLock: false"],
    "in-role": ["nsRoleDN: cn=staff,dc=example,dc=com"],
    "in-unlock-time-over": [f"accountUnlockTime: {OVER}", "passwordRetryCount: 3", f"retryCountResetTime: {OVER}"],
    "in-lock-forgotten": ["accountUnlockTime: 19700101000000Z", "passwordRetryCount: 0"],
    "in-wrong-once": ["passwordRetryCount: 1", f"retryCountResetTime: {OVER}"],
    "in-young": [f"passwordExpirationTime: {TO_COME}", "passwordExpWarned: 0", f"passwordAllowChangeTime: {OVER}"],
    "in-used-before": ["passwordExpirationTime: 19700101000001Z"],
    "in-history": [f"passwordHistory: {OVER}" + ssha(b"old river stone"), f"passwordExpirationTime: {TO_COME}"],
    "out-locked": ["nsAccountLock: TRUE"],
    "out-locked-small": ["nsAccountLock: true"],
    "out-role": ["nsRoleDN: cn=nsManagedDisabledRole,dc=example,dc=com"],
    "out-role-small": ["nsRoleDN: cn=staff,dc=example,dc=com", "nsRoleDN: CN=nsmanageddisabledrole, dc=example,dc=com"],
    "out-unlock-time": [f"accountUnlockTime: {TO_COME}", "passwordRetryCount: 3", f"retryCountResetTime: {TO_COME}"],
    "out-unlock-never": ["accountUnlockTime: 19700101000000Z", "passwordRetryCount: 3"],
    "out-expired": [f"passwordExpirationTime: {OVER}", "passwordExpWarned: 1", "passwordGraceUserTime: 3"],
    "must-change": ["passwordExpirationTime: 19700101000000Z", "passwordExpWarned: 0"],
    "must-change-reset": ["passwordExpirationTime: 19700101000000Z", "pwdReset: TRUE"],
    "grace-2": [f"passwordExpirationTime: {OVER}", "passwordExpWarned: 1", "passwordGraceUserTime: 0"],
    "grace-0": [f"passwordExpirationTime: {OVER}", "passwordExpWarned: 1", "passwordGraceUserTime: 2"],
}
OPENDJ = {
    "in-plain": ["pwdChangedTime: 20990101000000.000Z", "ds-pwp-warned-time: 20200101000000.000Z"],
    "in-enabled": ["ds-pwp-account-disabled: false"],
    "in-valid": ["ds-pwp-account-expiration-time: 20990101000000.000Z"],
    "in-wrong-once": ["pwdFailureTime: 20200101000000.000Z"],
    "out-disabled": ["ds-pwp-account-disabled: true"],
    "out-no-more": ["ds-pwp-account-expiration-time: 20200101000000.000Z"],
    "out-locked": ["pwdAccountLockedTime: 20200101000000.000Z", "pwdFailureTime: 20200101000000.000Z"],
    "out-idle": ["ds-pwp-last-login-time: 20200101000000Z"],
    "out-expired": ["pwdChangedTime: 20200101000000.000Z", "pwdGraceUseTime: 20250101000000.000Z", "pwdGraceUseTime: 20250101000001.000Z",
                    "pwdGraceUseTime: 20250101000002.000Z"],
    "must-change": ["pwdReset: TRUE", "pwdChangedTime: 20990101000000.000Z", "ds-pwp-reset-time: 20990101000000.000Z"],
    "grace-1": ["pwdChangedTime: 20200101000000.000Z", "pwdGraceUseTime: 20250101000000.000Z"],
}
FREEIPA = {
    "in-plain": ["nsAccountLock: FALSE", "passwordGraceUserTime: 0"],
    "in-valid": ["objectClass: extensibleObject", f"krbPrincipalExpiration: {TO_COME}"],
    "out-disabled": ["nsAccountLock: TRUE"],
    "out-no-more": ["objectClass: extensibleObject", f"krbPrincipalExpiration: {OVER}"],
}


def write(file, server, users, more=""):
    with open(file, "w", encoding="ascii") as ldif:
        ldif.write(f'# Accounts of {server}, made by accounts.py: in-... may log in, out-... may not, must-change... has to change the\n'
                   "# password, grace-N gets in with an expired one and may do so N more times.\n"
                   "dn: dc=example,dc=com\nobjectClass: organization\nobjectClass: dcObject\ndc: example\no: Example\n" + more)
        for name, lines in users.items():
            ldif.write(f"\ndn: uid={name},dc=example,dc=com\nobjectClass: inetOrgPerson\nuid: {name}\ncn: {name}\nsn: {name}\n"
                       f"userPassword: {ssha()}\n" + "".join(line + "\n" for line in lines))


ROLE = ("\ndn: cn={0},dc=example,dc=com\nobjectClass: ldapSubEntry\nobjectClass: nsRoleDefinition\nobjectClass: nsSimpleRoleDefinition\n"
        "objectClass: nsManagedRoleDefinition\ncn: {0}\n")
NESTED = ("\ndn: cn=nsDisabledRole,dc=example,dc=com\nobjectClass: ldapSubEntry\nobjectClass: nsRoleDefinition\n"
          "objectClass: nsComplexRoleDefinition\nobjectClass: nsNestedRoleDefinition\ncn: nsDisabledRole\n"
          "nsRoleDN: cn=nsManagedDisabledRole,dc=example,dc=com\n")
write("389-accounts.ldif", "389 Directory Server", OF_389, ROLE.format("staff") + ROLE.format("nsManagedDisabledRole") + NESTED)
write("opendj-accounts.ldif", "OpenDJ", OPENDJ)
write("freeipa-accounts.ldif", "FreeIPA", FREEIPA)
