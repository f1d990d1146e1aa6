"""Google's side of OIDC on one machine: signs tokens, publishes the certificates they are checked with.

    GET /certs                                                                       {key id: certificate}, for `certs_url`
    GET /computeMetadata/v1/instance/service-accounts/{e-mail}/identity?audience=…   a token, as on Compute Engine

With GCE_METADATA_HOST and GCE_METADATA_IP both 127.0.0.1:PORT, google.oauth2.id_token.fetch_id_token gets its tokens here."""

import json
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qs, urlsplit

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509.oid import NameOID
from google.auth import crypt, jwt

ISSUER = "https://accounts.google.com"
KEY_ID = "local"
ACCOUNTS = "/computeMetadata/v1/instance/service-accounts/"
DEFAULT = "function@local.iam.gserviceaccount.com"


@dataclass(frozen=True)
class Identity:
    """One key of our own in the place of Google's."""

    signer: crypt.RSASigner
    certificate: str

    @classmethod
    def new(cls) -> "Identity":
        key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        pem = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()
        )
        return cls(crypt.RSASigner.from_string(pem, KEY_ID), _certificate(key))

    def token(self, email: str, audience: str, seconds: int = 3600) -> str:
        """What Cloud Tasks and Cloud Scheduler send as a bearer: RS256, good for `seconds` (negative: run out already)."""
        now = int(time.time())
        claims = {
            "iss": ISSUER,
            "aud": audience,
            "azp": email,
            "sub": email,
            "email": email,
            "email_verified": True,
            "iat": min(now, now + seconds - 1),
            "exp": now + seconds,
        }
        return jwt.encode(self.signer, claims).decode()


def _certificate(key: rsa.RSAPrivateKey) -> str:
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "local")])
    today = datetime.now(UTC)
    certificate = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    dated = certificate.not_valid_before(today - timedelta(days=1)).not_valid_after(today + timedelta(days=30))
    return dated.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM).decode()


def serve(identity: Identity, port: int) -> ThreadingHTTPServer:
    """Answer on loopback from a thread; port 0 takes a free one (server_port says which)."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            kind, body = _answer(identity, self.path)
            self.send_response(200 if body else 404)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Metadata-Flavor", "Google")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", port), Answer)
    Thread(target=server.serve_forever, daemon=True).start()
    return server


def _answer(identity: Identity, path: str) -> tuple[str, bytes]:
    """Content type and body; no body for an address that is not known."""
    asked, json_type = urlsplit(path), "application/json"
    if asked.path == "/":  # the library checks whether a server answers
        return "text/plain", b"computeMetadata/\n"
    if asked.path == "/certs":
        return json_type, json.dumps({KEY_ID: identity.certificate}).encode()
    if not asked.path.startswith(ACCOUNTS):
        return json_type, b""
    account, _, what = asked.path.removeprefix(ACCOUNTS).partition("/")
    email = DEFAULT if account == "default" else account
    if what == "identity":
        return "text/plain", identity.token(email, parse_qs(asked.query)["audience"][0]).encode()
    if what == "token":  # for a library that will not go on without one; nothing here asks to see it
        return json_type, json.dumps({"access_token": f"of {email}", "expires_in": 3600, "token_type": "Bearer"}).encode()
    return json_type, json.dumps({"email": email, "aliases": ["default"], "scopes": []}).encode()
