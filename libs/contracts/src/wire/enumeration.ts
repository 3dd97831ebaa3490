import { WireTypeError, type ContractType } from './wire-type.js';

type Numbers = Readonly<Record<string, number>>;

/** A wire type that also has its members as properties: `Architecture.X64`. */
export type EnumType<V extends Numbers> = ContractType<V[keyof V]> & { readonly values: V } & V;

/** Checks that a type is an enum. */
export function isEnumeration(type: object): type is EnumType<Record<string, number>> {
  return 'values' in type && 'encode' in type;
}

/** An enum that is written as numbers in JSON and as names in MessagePack. Both are read, names in any case. */
export function numericEnum<const V extends Numbers>(name: string, values: V): EnumType<V> {
  const names = namesByNumber(values);
  return enumeration(name, values, values, (value, encoding) => (encoding === 'json' ? value : names.get(value)));
}

/** An enum that is written as names in both encodings. Numbers are read as well, and names in any case. */
export function namedEnum<const V extends Numbers>(name: string, values: V): EnumType<V> {
  const names = namesByNumber(values);
  return enumeration(name, values, values, (value) => names.get(value));
}

/** An enum that is written in JSON as other names than those of its members. Both kinds of names are read, and numbers. */
export function aliasedEnum<const V extends Numbers>(name: string, values: V, aliases: Record<keyof V & string, string>): EnumType<V> {
  const names = namesByNumber(values);
  const readable: Record<string, number> = { ...values };
  for (const [member, alias] of Object.entries(aliases)) readable[alias] = values[member];
  return enumeration(name, values, readable, (value, encoding) => {
    const member = names.get(value);
    return encoding === 'json' && member !== undefined ? aliases[member] : member;
  });
}

function valuesOf<V extends Numbers>(values: V): V[keyof V][];
function valuesOf(values: Numbers): number[] {
  return Object.values(values);
}

function namesByNumber<V extends Numbers>(values: V): Map<number, keyof V & string> {
  return new Map(Object.entries(values).map(([member, value]) => [value, member]));
}

function enumeration<V extends Numbers>(
  name: string,
  values: V,
  readableNames: Numbers,
  encode: ContractType<V[keyof V]>['encode'],
): EnumType<V> {
  type Value = V[keyof V];
  const members = valuesOf(values);
  const byNumber = new Map<unknown, Value>(members.map((value) => [value, value]));
  const byName = new Map(Object.entries(readableNames).map(([member, value]) => [member.toLowerCase(), byNumber.get(value)]));
  for (const value of members) byName.set(String(value), value);

  const type: ContractType<Value> = {
    name,
    absent: () => byNumber.get(0) ?? members[0],
    encode,
    decode(raw) {
      const value = byNumber.get(raw) ?? (typeof raw === 'string' ? byName.get(raw.toLowerCase()) : undefined);
      if (value === undefined) throw new WireTypeError(`must be one of ${Object.keys(values).join(', ')}`);
      return value;
    },
    write: (value, writer) => writer.integer(value),
  };
  return Object.assign(type, { values }, values);
}
