/**
 * The certificate of an https server. It is signed with the server's own key, because no certificate authority signs
 * for an address in a hall.
 *
 * Invariants:
 * - A certificate is kept until it nears its expiry or the key changes. Until then a browser that trusts it does not
 *   ask again.
 * - Devices of a hub check only the key, so a new certificate does not affect them.
 */
import { createPublicKey, type KeyObject, randomBytes, webcrypto, X509Certificate } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { Integer, OctetString, Utf8String } from 'asn1js';
import {
  AttributeTypeAndValue,
  BasicConstraints,
  Certificate,
  CryptoEngine,
  Extension,
  ExtKeyUsage,
  GeneralName,
  GeneralNames,
} from 'pkijs';

/** Key and certificate for https, both PEM, and the fingerprint that people compare in a browser. */
export type ServerCertificate = {
  readonly key: string;
  readonly cert: string;
  /** SHA-256 of the certificate, as browsers show it: pairs of hex digits with colons. */
  readonly fingerprint: string;
};

/** The names in a certificate: the server's own name, host names, and IPv4 addresses. */
type CertificateNames = {
  readonly server: string;
  readonly hosts: readonly string[];
  readonly addresses: readonly string[];
};

const DAY_MS = 86_400_000;
const VALID_DAYS = 3_650;
/** The certificate is renewed this many days before its expiry. */
const LEFT_DAYS = 90;

/** Object identifiers (RFC 5280). */
const OID = {
  commonName: '2.5.4.3',
  basicConstraints: '2.5.29.19',
  extendedKeyUsage: '2.5.29.37',
  subjectAltName: '2.5.29.17',
  serverAuth: '1.3.6.1.5.5.7.3.1',
} as const;

/** Kinds of names (RFC 5280, section 4.2.1.6). */
const DNS_NAME = 2;
const IP_ADDRESS = 7;

/** The certificate in `file` for a key (P-256); creates one unless a valid one exists. `now`: epoch milliseconds. */
export async function openCertificate(
  file: string,
  key: KeyObject,
  names: CertificateNames,
  now: number,
): Promise<ServerCertificate> {
  let found = readCertificate(file);
  if (
    found === null ||
    !found.checkPrivateKey(key) ||
    found.validToDate.getTime() < now + LEFT_DAYS * DAY_MS
  ) {
    found = await makeCertificate(key, names, now);
    writeFileSync(file, found.toString(), { mode: 0o600 });
  }
  return {
    key: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: found.toString(),
    fingerprint: found.fingerprint256,
  };
}

function readCertificate(file: string): X509Certificate | null {
  try {
    return new X509Certificate(readFileSync(file));
  } catch {
    // Missing or unreadable: the caller creates another one with the same key.
    return null;
  }
}

async function makeCertificate(
  key: KeyObject,
  names: CertificateNames,
  now: number,
): Promise<X509Certificate> {
  const engine = new CryptoEngine({ crypto: webcrypto });
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
  const certificate = new Certificate();
  // Counted from zero (RFC 5280, section 4.1.2.1): extensions need version 3.
  certificate.version = 2;
  certificate.serialNumber = new Integer({ valueHex: serialNumber() });
  const name = new AttributeTypeAndValue({
    type: OID.commonName,
    value: new Utf8String({ value: names.server.slice(0, 64) }),
  });
  certificate.issuer.typesAndValues.push(name);
  certificate.subject.typesAndValues.push(name);
  certificate.notBefore.value = new Date(now - DAY_MS);
  certificate.notAfter.value = new Date(now + VALID_DAYS * DAY_MS);
  certificate.extensions = extensionsOf(names);
  const [publicKey, privateKey] = [
    createPublicKey(key).toCryptoKey(algorithm, true, ['verify']),
    key.toCryptoKey(algorithm, false, ['sign']),
  ];
  await certificate.subjectPublicKeyInfo.importKey(publicKey, engine);
  await certificate.sign(privateKey, 'SHA-256', engine);
  return new X509Certificate(Buffer.from(certificate.toSchema(true).toBER(false)));
}

function extensionsOf({ hosts, addresses }: CertificateNames): Extension[] {
  const names = [
    ...hosts.map((value) => new GeneralName({ type: DNS_NAME, value })),
    ...addresses.map((address) => {
      const valueHex = Uint8Array.from(address.split('.').map(Number));
      return new GeneralName({ type: IP_ADDRESS, value: new OctetString({ valueHex }) });
    }),
  ];
  const said = [
    [OID.basicConstraints, new BasicConstraints({ cA: false }), true],
    [OID.extendedKeyUsage, new ExtKeyUsage({ keyPurposes: [OID.serverAuth] }), false],
    [OID.subjectAltName, new GeneralNames({ names }), false],
  ] as const;
  return said.map(
    ([extnID, value, critical]) =>
      new Extension({ extnID, critical, extnValue: value.toSchema().toBER(false) }),
  );
}

/** Positive, at most 20 bytes, 128 of its bits random (RFC 5280, section 4.1.2.2). */
function serialNumber(): Uint8Array<ArrayBuffer> {
  return Uint8Array.of(1, ...randomBytes(16));
}
