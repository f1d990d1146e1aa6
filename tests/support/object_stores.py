"""Clients of Cloud Storage on loopback."""

from functools import cache

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from google.auth.credentials import AnonymousCredentials
from google.cloud import storage
from google.oauth2.service_account import Credentials


def gcs_client(address: str) -> storage.Client:
    return storage.Client(project="p", credentials=AnonymousCredentials(), client_options={"api_endpoint": address})


@cache
def signing_key() -> Credentials:
    """A service account of nobody's, to sign addresses with."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    about = {"client_email": "signer@p.iam.gserviceaccount.com", "token_uri": "http://127.0.0.1:9", "private_key": pem.decode()}
    return Credentials.from_service_account_info(about)
