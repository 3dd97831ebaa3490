import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

/** A certificate with its key, both as PEM. */
export interface Identity {
  readonly cert: string;
  readonly key: string;
}

const DAY_MS = 24 * 60 * 60_000;
const OID = {
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  commonName: '2.5.4.3',
  basicConstraints: '2.5.29.19',
  subjectAltName: '2.5.29.17',
  subjectKeyIdentifier: '2.5.29.14',
  authorityKeyIdentifier: '2.5.29.35',
};
const Tag = { Boolean: 0x01, Integer: 0x02, Bits: 0x03, Octets: 0x04, Oid: 0x06, Text: 0x0c, Time: 0x17, Sequence: 0x30, Set: 0x31 };
const context = (number: number, isConstructed: boolean): number => (isConstructed ? 0xa0 : 0x80) + number;

/** A certificate authority of tests. */
export class Authority {
  private readonly key: KeyObject;
  private readonly keyId: Buffer;
  /** Its own certificate as PEM. */
  readonly cert: string;

  constructor(private readonly name = 'Authority of a test') {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.key = privateKey;
    this.keyId = keyIdOf(publicKey);
    const extensions = [
      extension(OID.basicConstraints, der(Tag.Sequence, der(Tag.Boolean, Buffer.of(0xff)))),
      extension(OID.subjectKeyIdentifier, der(Tag.Octets, this.keyId)),
    ];
    this.cert = this.certify({ name, publicKey, days: 3650, extensions });
  }

  /** A certificate for a host name or a client, which ends after so many days. */
  issue(host: string, days = 365, { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })): Identity {
    const extensions = [
      extension(OID.subjectAltName, der(Tag.Sequence, der(context(2, false), Buffer.from(host)))),
      extension(OID.authorityKeyIdentifier, der(Tag.Sequence, der(context(0, false), this.keyId))),
    ];
    const cert = this.certify({ name: host, publicKey, days, extensions });
    return { cert, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
  }

  private certify(wanted: { name: string; publicKey: KeyObject; days: number; extensions: readonly Buffer[] }): string {
    const { name, publicKey, days, extensions } = wanted;
    const end = Date.now() + days * DAY_MS;
    const algorithm = der(Tag.Sequence, oid(OID.ecdsaWithSha256));
    const serial = Buffer.concat([Buffer.of(0x01), randomBytes(8)]);
    const content = der(
      Tag.Sequence,
      der(context(0, true), der(Tag.Integer, Buffer.of(2))),
      der(Tag.Integer, serial),
      algorithm,
      nameOf(this.name),
      der(Tag.Sequence, timeOf(Math.min(Date.now(), end) - 400 * DAY_MS), timeOf(end)),
      nameOf(name),
      publicKey.export({ type: 'spki', format: 'der' }),
      der(context(3, true), der(Tag.Sequence, ...extensions)),
    );
    const certificate = der(Tag.Sequence, content, algorithm, der(Tag.Bits, Buffer.of(0), sign('sha256', content, this.key)));
    const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
    return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
  }
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  const bytes = [first * 40 + second, ...rest.flatMap(base128)];
  return der(Tag.Oid, Buffer.from(bytes));
}

function base128(number: number): number[] {
  const bytes = [number & 0x7f];
  for (let rest = number >> 7; rest > 0; rest >>= 7) bytes.unshift((rest & 0x7f) | 0x80);
  return bytes;
}

const extension = (id: string, value: Buffer): Buffer => der(Tag.Sequence, oid(id), der(Tag.Octets, value));

const nameOf = (name: string): Buffer =>
  der(Tag.Sequence, der(Tag.Set, der(Tag.Sequence, oid(OID.commonName), der(Tag.Text, Buffer.from(name)))));

/** Two digits for the year, as times before 2050 have. */
const timeOf = (time: number): Buffer =>
  der(
    Tag.Time,
    Buffer.from(
      new Date(time)
        .toISOString()
        .replaceAll(/[-T:]|\.\d+/g, '')
        .slice(2),
    ),
  );

const keyIdOf = (key: KeyObject): Buffer =>
  createHash('sha1')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest();
