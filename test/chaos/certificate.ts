/**
 * A self-signed certificate for `localhost`, made at run time, so that the repository contains no private key.
 * Source: RFC 5280 (shape), RFC 5758 (ECDSA with SHA-256), X.690 (DER).
 */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** PEM texts of a key and of its certificate. */
export type Certificate = { readonly key: string; readonly cert: string };

const element = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts);
  const { length } = content;
  const head =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...head]), content]);
};

const sequence = (...parts: readonly Uint8Array[]): Buffer => element(0x30, ...parts);
const identifier = (...bytes: readonly number[]): Buffer => element(0x06, Buffer.from(bytes));
const text = (tag: number, value: string): Buffer => element(tag, Buffer.from(value));

const ecdsaWithSha256 = sequence(identifier(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
const commonName = (name: string): Buffer =>
  sequence(element(0x31, sequence(identifier(0x55, 0x04, 0x03), text(0x0c, name))));
const extension = (id: Buffer, value: Buffer): Buffer => sequence(id, element(0x04, value));

/** A new key and a certificate over it, valid from 2020 to 2049. */
export const makeCertificate = (name: string): Certificate => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const toBeSigned = sequence(
    element(0xa0, element(0x02, Buffer.from([2]))),
    element(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    commonName(name),
    sequence(text(0x17, '200101000000Z'), text(0x17, '491231235959Z')),
    commonName(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    element(
      0xa3,
      sequence(
        extension(identifier(0x55, 0x1d, 0x11), sequence(text(0x82, 'localhost'))),
        extension(identifier(0x55, 0x1d, 0x13), sequence(element(0x01, Buffer.from([0xff])))),
      ),
    ),
  );
  const signature = element(0x03, Buffer.from([0]), sign('sha256', toBeSigned, privateKey));
  const der = sequence(toBeSigned, ecdsaWithSha256, signature);
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
  };
};
