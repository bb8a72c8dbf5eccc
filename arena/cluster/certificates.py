"""The certificates of a cluster: making them, and making sure of them before they are used.

Anyone with the node's key can join: it is the one key with which the scheduler, the hosts and the
coordinator prove who they are. TLS in Dask looks at no names and at no list of revoked keys, so a
key for each host would keep nobody out.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from arena.errors import UsageError
from arena.sandbox.visible import SYSTEM, needed
from arena.untrusted import show

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.types import PublicKeyTypes

__all__ = ["DAYS", "Certificates", "make_certificates", "read_certificates"]

DAYS = 730  # that certificates are valid
EARLIER = timedelta(days=1)  # than now they begin, for hosts whose clocks are behind
AUTHORITY, NODE, KEY = "ca.pem", "node.pem", "node-key.pem"
USAGES = (
    *("digital_signature", "content_commitment", "key_encipherment", "data_encipherment"),
    *("key_agreement", "key_cert_sign", "crl_sign", "encipher_only", "decipher_only"),
)


@dataclass(frozen=True, slots=True)
class Certificates:
    """The files that a member of a cluster needs, as absolute paths.

    Attributes:
        authority: the certificate of the authority that signed all nodes.
        node: the certificate of the node.
        key: the private key of the node.
    """

    authority: Path
    node: Path
    key: Path


def make_certificates(folder: Path) -> Certificates:
    """Make an authority and a certificate signed by it, in a new folder only this user can read.

    The authority's own key is forgotten at once: it could only make keys that let in as much as the
    one that there is. The folder appears whole or not at all.

    Raises:
        UsageError: there is something of that name.
    """
    folder = folder.absolute()
    if os.path.lexists(folder):
        raise UsageError(
            f"{folder}: there is something of that name, and certificates are not overwritten; "
            "name a folder that does not exist yet"
        )
    files = _made(datetime.now(UTC))
    folder.parent.mkdir(parents=True, exist_ok=True)
    begun = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))  # mode 0700
    try:
        for name, text in files.items():
            descriptor = os.open(begun / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with open(descriptor, "wb") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
        begun.rename(folder)  # fails if meanwhile somebody made a folder that is not empty
    except BaseException:
        shutil.rmtree(begun, ignore_errors=True)
        raise
    return _in_folder(folder)


def read_certificates(folder: Path) -> Certificates:
    """Return the certificates in a folder, after making sure that they can work.

    Raises:
        UsageError: one is missing, expired or not signed by the authority beside it, or others than
            this user could read the key or change a file, or bots could read the key.
    """
    if not folder.is_dir():
        raise UsageError(
            f"there is no folder {show(str(folder))}: name that of the cluster's certificates, "
            "which arena cluster certificates DIR makes"
        )
    found = _in_folder(folder.absolute())
    for path in (found.authority, found.node, found.key):
        if not path.is_file():
            raise UsageError(
                f"{folder} has no {path.name}; arena cluster certificates DIR makes "
                f"{AUTHORITY}, {NODE} and {KEY}, the same for all machines of a cluster"
            )
    _check_modes(found)
    _check_place(found.key)
    authorities = _certificates_in(found.authority)
    node, *between = _certificates_in(found.node)
    now = datetime.now(UTC)
    _check_dates(found.node, node, now)
    _check_dates(found.authority, authorities[0], now)
    if not any(_signed(node, by) for by in (*between, *authorities)):
        raise UsageError(
            f"{found.node} is not signed by the authority in {found.authority}: the files are of "
            "two clusters; copy the whole folder again"
        )
    if _encoded(node.public_key()) != _encoded(_public_key_of(found.key)):
        raise UsageError(
            f"{found.key} is not the key of {found.node}: the files are of two clusters; copy the "
            "whole folder again"
        )
    return found


def _in_folder(folder: Path) -> Certificates:
    return Certificates(folder / AUTHORITY, folder / NODE, folder / KEY)


def _made(now: datetime) -> dict[str, bytes]:
    """Return the texts of new files by their names."""
    authority_key = ec.generate_private_key(ec.SECP256R1())
    node_key = ec.generate_private_key(ec.SECP256R1())
    issuer, subject = _named("arena cluster authority"), _named("arena cluster node")
    identifier = x509.SubjectKeyIdentifier.from_public_key(authority_key.public_key())
    authority = (
        _begun(issuer, issuer, authority_key.public_key(), now)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage("key_cert_sign", "crl_sign"), critical=True)
        .add_extension(identifier, critical=False)
        .sign(authority_key, hashes.SHA256())
    )
    by = x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(identifier)
    ends = [ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]
    own = x509.SubjectKeyIdentifier.from_public_key(node_key.public_key())
    node = (
        _begun(issuer, subject, node_key.public_key(), now)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage("digital_signature"), critical=True)
        .add_extension(x509.ExtendedKeyUsage(ends), critical=False)
        .add_extension(own, critical=False)
        .add_extension(by, critical=False)
        .sign(authority_key, hashes.SHA256())
    )
    return {
        AUTHORITY: authority.public_bytes(Encoding.PEM),
        NODE: node.public_bytes(Encoding.PEM),
        KEY: node_key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()),
    }


def _begun(
    issuer: x509.Name, subject: x509.Name, key: ec.EllipticCurvePublicKey, now: datetime
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .issuer_name(issuer)
        .subject_name(subject)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - EARLIER)
        .not_valid_after(now + timedelta(days=DAYS))
    )


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _usage(*allowed: str) -> x509.KeyUsage:
    return x509.KeyUsage(**{usage: usage in allowed for usage in USAGES})


def _check_modes(found: Certificates) -> None:
    """Refuse what ssh refuses: a key that others can read, files that others can change."""
    folder = found.key.parent
    if found.key.stat().st_mode & 0o077:
        raise UsageError(
            f"other users may read {found.key}, and anyone with that key can join the cluster: "
            f"chmod 600 {found.key}; if somebody may have read it, make new certificates"
        )
    for path in (folder, found.authority, found.node):
        if path.stat().st_mode & 0o022:
            raise UsageError(f"other users may change {path}: chmod go-w {path}")


def _check_place(key: Path) -> None:
    """Refuse a key in a folder that bots see at every level, as they need what is in it to run."""
    for folder in (*SYSTEM, *needed((sys.executable,))):
        if key.resolve().is_relative_to(os.path.realpath(folder)):
            raise UsageError(
                f"{key} lies in {folder}, which isolated bots can read too; move it elsewhere"
            )


def _certificates_in(path: Path) -> list[x509.Certificate]:
    try:
        return x509.load_pem_x509_certificates(path.read_bytes())
    except ValueError:
        raise UsageError(f"{path} is no certificate in the PEM format") from None


def _check_dates(path: Path, certificate: x509.Certificate, now: datetime) -> None:
    begins, ends = certificate.not_valid_before_utc, certificate.not_valid_after_utc
    if now > ends:
        raise UsageError(
            f"{path} expired on {ends:%Y-%m-%d}; make new certificates with "
            "arena cluster certificates DIR and copy them to every machine of the cluster"
        )
    if now < begins:
        raise UsageError(
            f"{path} is valid from {begins:%Y-%m-%d %H:%M} UTC on, and here it is "
            f"{now:%Y-%m-%d %H:%M}: set this machine's clock"
        )


def _signed(certificate: x509.Certificate, by: x509.Certificate) -> bool:
    try:
        certificate.verify_directly_issued_by(by)
    except (InvalidSignature, ValueError, TypeError):
        return False
    return True


def _public_key_of(path: Path) -> PublicKeyTypes:
    try:
        return load_pem_private_key(path.read_bytes(), password=None).public_key()
    except TypeError:
        raise UsageError(
            f"{path} is protected by a password, which nobody could type on a host; "
            "remove it with openssl pkey"
        ) from None
    except ValueError:
        raise UsageError(f"{path} is no private key in the PEM format") from None


def _encoded(key: PublicKeyTypes) -> bytes:
    return key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
