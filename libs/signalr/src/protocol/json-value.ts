/**
 * Gives values that JSON would lose a form in JSON: bytes as base64 text, maps as objects, sets as lists, BigInts as numbers. A value that
 * has none of these comes back as it is, without a copy.
 * @throws TypeError when a BigInt has no exact form
 */
export function toJsonValue(value: unknown): unknown {
  if (typeof value === 'bigint') return toExactNumber(value);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Uint8Array) return toBase64(value);
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, inner]) => [String(key), toJsonValue(inner)]));
  if (value instanceof Set) return Array.from(value, toJsonValue);
  if (Array.isArray(value)) return replaceItems(value);
  if ('toJSON' in value && typeof value.toJSON === 'function') return value;
  return replaceMembers(value);
}

/** Standard base64 with padding. */
export function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

function toExactNumber(value: bigint): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new TypeError('A whole number beyond 53 bits goes over JSON as bigint only.');
  return number;
}

function replaceItems(items: readonly unknown[]): readonly unknown[] {
  let replaced: unknown[] | undefined;
  for (const [index, item] of items.entries()) {
    const json = toJsonValue(item);
    if (json !== item) replaced ??= [...items];
    if (replaced !== undefined) replaced[index] = json;
  }
  return replaced ?? items;
}

function replaceMembers(object: object): object {
  const changed = Object.entries(object).flatMap(([name, value]: [string, unknown]) => {
    const json = toJsonValue(value);
    return json === value ? [] : [[name, json] as const];
  });
  // Spreading a list of members defines them, so that `__proto__` is a name like others.
  return changed.length === 0 ? object : Object.fromEntries([...Object.entries(object), ...changed]);
}
