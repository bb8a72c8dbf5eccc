"""The certificate of a cluster: making it, and making sure of it before it is used.

It is self-signed, and the same on all machines: anyone with its key can join, and TLS in Dask looks
at no names and at no list of revoked keys, so a key for each host would keep nobody out.
"""

from __future__ import annotations

import os
import ssl
import sys
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from arena.sandbox.visible import SYSTEM, needed
from arena.values.errors import UsageError
from arena.values.untrusted import show

DAYS = 730  # that a certificate is valid
EARLIER = timedelta(days=1)  # than now it begins, for hosts whose clocks are behind
CERTIFICATE, KEY = "cluster.pem", "cluster-key.pem"


@dataclass(frozen=True, slots=True)
class Certificates:
    """The files that a member of a cluster needs, as absolute paths.

    Attributes:
        certificate: of the cluster.
        key: its private key.
    """

    certificate: Path
    key: Path


def make_certificates(folder: Path) -> Certificates:
    """Make a certificate and its key, in a new folder only this user can read.

    Raises:
        UsageError: there is something of that name.
    """
    folder = folder.absolute()
    try:
        folder.mkdir(mode=0o700, parents=True)
    except FileExistsError:
        raise UsageError(
            f"{folder}: there is something of that name, and certificates are not overwritten; "
            "name a folder that does not exist yet"
        ) from None
    for name, text in zip((CERTIFICATE, KEY), _made(datetime.now(UTC)), strict=True):
        descriptor = os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(descriptor, "wb") as file:
            file.write(text)
    return Certificates(folder / CERTIFICATE, folder / KEY)


def read_certificates(folder: Path) -> Certificates:
    """Return the certificate in a folder, after making sure that it can work.

    Raises:
        UsageError: a file is missing, is damaged or of another cluster than the one beside it, the
            certificate is not valid now, others than this user could read the key or change a file,
            or bots could read the key.
    """
    folder = folder.absolute()
    found = Certificates(folder / CERTIFICATE, folder / KEY)
    for path in (found.certificate, found.key):
        if not path.is_file():
            raise UsageError(
                f"there is no {show(str(path))}: arena cluster certificates DIR makes "
                f"{CERTIFICATE} and {KEY}, the same for all machines of a cluster"
            )
    _check_modes(found)
    for place in (*SYSTEM, *needed(sys.executable)):  # bots see it, as they need it to run
        if found.key.resolve().is_relative_to(os.path.realpath(place)):
            raise UsageError(
                f"{found.key} lies in {place}, which isolated bots can read too; move it elsewhere"
            )
    try:
        ssl.create_default_context().load_cert_chain(found.certificate, found.key, lambda: "")
        certificate = x509.load_pem_x509_certificate(found.certificate.read_bytes())
    except (ssl.SSLError, ValueError):
        raise UsageError(
            f"{found.certificate} and {found.key} are damaged, or of two clusters: copy the whole "
            "folder again"
        ) from None
    begins, ends, now = (
        certificate.not_valid_before_utc, certificate.not_valid_after_utc,
        datetime.now(UTC),
    )  # fmt: skip
    if not begins <= now <= ends:
        raise UsageError(
            f"{found.certificate} is valid from {begins:%Y-%m-%d} to {ends:%Y-%m-%d}, and here it "
            f"is {now:%Y-%m-%d %H:%M} UTC: set this machine's clock, or make a new one with arena "
            "cluster certificates DIR and copy it to every machine of the cluster"
        )
    return found


def _made(now: datetime) -> tuple[bytes, bytes]:
    """Return the texts of a new certificate and of its key.

    It is an authority that has signed itself, and has what OpenSSL's strict check asks of one.
    """
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "arena cluster")])
    certificate = (
        x509.CertificateBuilder()
        .issuer_name(name)
        .subject_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - EARLIER)
        .not_valid_after(now + timedelta(days=DAYS))
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    text = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return certificate.public_bytes(Encoding.PEM), text


def _check_modes(found: Certificates) -> None:
    """Refuse what ssh refuses: a key that others can read, files that others can change."""
    if found.key.stat().st_mode & 0o077:
        raise UsageError(
            f"other users may read {found.key}, and anyone with that key can join the cluster: "
            f"chmod 600 {found.key}; if somebody may have read it, make a new one"
        )
    for path in (found.key.parent, found.certificate):
        if path.stat().st_mode & 0o022:
            raise UsageError(f"other users may change {path}: chmod go-w {path}")
