"""Makes 389.ldif and opendj.ldif: the password "password" in the forms of these servers, by what their sources say. No test runs it."""
import base64
import crypt
import hashlib
import os

PASSWORD = b"password"


def b64(data):
    return base64.b64encode(data).decode()


def salted(name, size=8):
    salt = os.urandom(size)
    return b64(hashlib.new(name, PASSWORD + salt).digest() + salt)


def plain(name):
    return b64(hashlib.new(name, PASSWORD).digest())


def pbkdf2(name, rounds, salt, size=None):
    return hashlib.pbkdf2_hmac(name, PASSWORD, salt, rounds, size)


def dollars(name, rounds):
    salt = os.urandom(16)
    return f"{rounds}${b64(salt).rstrip('=')}${b64(pbkdf2(name, rounds, salt)).rstrip('=')}"


def of_389(rounds):
    salt = os.urandom(64)
    return b64(rounds.to_bytes(4, "big") + salt + pbkdf2("sha256", rounds, salt, 256))


def netscape():
    salt = b"0123456789abcdef0123456789abcdef"
    return hashlib.md5(salt + b"\x59" + PASSWORD + b"\xf7" + salt).hexdigest() + salt.decode()


def colon(name, rounds, size):
    salt = os.urandom(size)
    return f"{rounds}:{b64(pbkdf2(name, rounds, salt) + salt)}"


def pkcs5s2():
    salt = os.urandom(16)
    return b64(salt + pbkdf2("sha1", 10000, salt, 32))


COMMON = {
    "ssha": "{SSHA}" + salted("sha1"), "sha": "{SHA}" + plain("sha1"), "smd5": "{SMD5}" + salted("md5"),
    "md5": "{MD5}" + plain("md5"), "ssha256": "{SSHA256}" + salted("sha256"), "ssha384": "{SSHA384}" + salted("sha384"),
    "ssha512": "{SSHA512}" + salted("sha512"), "crypt": "{CRYPT}" + crypt.crypt("password", "ab"),
    "crypt-sha512": "{CRYPT}" + crypt.crypt("password", "$6$saltsaltsaltsalt"),
}
OF_389 = {
    "pbkdf2-sha256-old": "{PBKDF2_SHA256}" + of_389(8192), "pbkdf2-sha1": "{PBKDF2-SHA1}" + dollars("sha1", 10000),
    "pbkdf2-sha256": "{PBKDF2-SHA256}" + dollars("sha256", 10000), "pbkdf2": "{PBKDF2}" + dollars("sha1", 10000),
    "pbkdf2-sha512": "{PBKDF2-SHA512}" + dollars("sha512", 10000), "sha256": "{SHA256}" + plain("sha256"),
    "sha384": "{SHA384}" + plain("sha384"), "sha512": "{SHA512}" + plain("sha512"), "clear": "{clear}password",
    "netscape": "{NS-MTA-MD5}" + netscape(),
}
OPENDJ = {
    "pbkdf2": "{PBKDF2}" + colon("sha1", 10000, 8), "pbkdf2-sha256": "{PBKDF2-HMAC-SHA256}" + colon("sha256", 10000, 16),
    "pbkdf2-sha512": "{PBKDF2-HMAC-SHA512}" + colon("sha512", 10000, 16), "pkcs5s2": "{PKCS5S2}" + pkcs5s2(),
    "bcrypt": "{BCRYPT}" + crypt.crypt("password", "$2b$05$abcdefghijklmnopqrstuu"), "base64": "{BASE64}" + b64(PASSWORD),
    "clear": "{CLEAR}password",
}


def write(file, server, users, out, locked):
    with open(file, "w", encoding="ascii") as ldif:
        ldif.write(f'# The password "password" as {server} keeps it, made by others.py. The names say whom Alder has to let in and keep out;\n'
                   "# policy-out-... is locked by what the server calls so, with the right password.\n"
                   "dn: dc=example,dc=com\nobjectClass: organization\nobjectClass: dcObject\ndc: example\no: Example\n")
        entries = {"in-" + name: [f"userPassword: {value}"] for name, value in users.items()}
        entries.update({"out-" + name: [f"userPassword: {value}"] for name, value in out.items()})
        entries["policy-out-disabled"] = ["userPassword: {SSHA}" + salted("sha1"), locked]
        for name, lines in entries.items():
            ldif.write(f"\ndn: uid={name},dc=example,dc=com\nobjectClass: inetOrgPerson\nuid: {name}\ncn: {name}\nsn: {name}\n")
            ldif.write("".join(line + "\n" for line in lines))


write("389.ldif", "389 Directory Server", COMMON | OF_389,
      {"gost": "{GOST_YESCRYPT}$gy$j9T$x$y", "aes": "{AES-QUJDREVGR0g=}x"}, "nsAccountLock: true")
write("opendj.ldif", "OpenDJ", COMMON | OPENDJ,
      {"aes": "{AES}cGFzc3dvcmQ=", "3des": "{3DES}cGFzc3dvcmQ=", "rc4": "{RC4}cGFzc3dvcmQ="}, "ds-pwp-account-disabled: true")
