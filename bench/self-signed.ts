import { generateKeyPairSync, sign } from 'node:crypto';

/** A private key and its certificate, as TLS servers take them. */
export interface ServerIdentity {
  readonly key: string;
  readonly cert: string;
}

const day = 86_400_000;
const tags = {
  integer: 0x02,
  bitString: 0x03,
  null: 0x05,
  oid: 0x06,
  utf8: 0x0c,
  utcTime: 0x17,
  sequence: 0x30,
  set: 0x31,
};
/** 2.5.4.3 of X.520. */
const commonName = der('oid', Buffer.from('550403', 'hex'));
/** 1.2.840.113549.1.1.11, sha256WithRSAEncryption of RFC 8017. */
const algorithm = der('sequence', der('oid', Buffer.from('2a864886f70d01010b', 'hex')), der('null'));

/**
 * Makes a key and a certificate for this name that are valid for a day: version 1 of RFC 5280, 4.1, which Node cannot write.
 */
export function createSelfSigned(name: string, now = new Date()): ServerIdentity {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const subject = der('sequence', der('set', der('sequence', commonName, der('utf8', Buffer.from(name)))));
  const validity = der('sequence', utcTime(now), utcTime(new Date(now.getTime() + day)));
  const serial = der('integer', Buffer.of(1));
  const publicKeyInfo = publicKey.export({ type: 'spki', format: 'der' });
  const content = der('sequence', serial, algorithm, subject, validity, subject, publicKeyInfo);
  const signature = der('bitString', Buffer.of(0), sign('sha256', content, privateKey));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: toPem(der('sequence', content, algorithm, signature)),
  };
}

/** One value in the Distinguished Encoding Rules of ASN.1 (X.690). */
function der(tag: keyof typeof tags, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.of(tags[tag]), lengthOf(content), content]);
}

function lengthOf({ length }: Buffer): Buffer {
  if (length < 0x80) return Buffer.of(length);
  return length < 0x100 ? Buffer.of(0x81, length) : Buffer.of(0x82, length >> 8, length & 0xff);
}

function utcTime(at: Date): Buffer {
  const digits = at.toISOString().replace(/\D/g, '').slice(2, 14);
  return der('utcTime', Buffer.from(`${digits}Z`));
}

function toPem(certificate: Buffer): string {
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
