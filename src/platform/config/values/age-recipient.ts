const LETTERS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
/** The polynomial of Bech32 (BIP 173). */
const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

/** Checks prefix, letters and checksum of a public key of age (Bech32). */
export function isAgeRecipient(text: string): boolean {
  const separator = text.lastIndexOf('1');
  const [prefix, data] = [text.slice(0, separator), text.slice(separator + 1)];
  if (!/^age(1pq)?$/.test(prefix)) return false;
  const values = [...data].map((letter) => LETTERS.indexOf(letter));
  if (values.length < 58 || values.includes(-1)) return false;
  const codes = [...prefix].map((letter) => letter.charCodeAt(0));
  return checksum([...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31), ...values]) === 1;
}

function checksum(values: readonly number[]): number {
  let sum = 1;
  for (const value of values) {
    const top = sum >>> 25;
    sum = ((sum & 0x1ffffff) << 5) ^ value;
    for (const [bit, factor] of GENERATOR.entries()) if ((top >>> bit) & 1) sum ^= factor;
  }
  return sum >>> 0;
}
