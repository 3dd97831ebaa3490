import { MessagePackWriter, plainMemory } from '#libs/signalr/wire';
import { inWords, MAX_ITEMS } from './limits.js';
import { WireTypeError, type ContractType, type Encoding, type Infer } from './wire-type.js';

/** A member that is absent from the wire unless it is set. */
export interface OptionalType<T> extends ContractType<T | undefined> {
  readonly optional: true;
}

/** A type with null among its values. */
export interface NullableType<T> extends ContractType<T | null> {
  readonly nullable: true;
}

export type Members = Readonly<Record<string, ContractType<unknown>>>;

type OptionalKeys<M> = { [K in keyof M]: M[K] extends { readonly optional: true } ? K : never }[keyof M];
type Flat<T> = { [K in keyof T]: T[K] };

/** The TypeScript type of a record with these members. */
export type RecordValue<M extends Members> = Flat<
  { [K in Exclude<keyof M, OptionalKeys<M>>]: Infer<M[K]> } & { [K in OptionalKeys<M>]?: Exclude<Infer<M[K]>, undefined> }
>;

export interface RecordType<M extends Members> extends ContractType<RecordValue<M>> {
  /** The meaning of the record, in sentences. */
  readonly description: string;
  readonly members: M;
  /** The meaning of members whose name and type do not say it. */
  readonly notes: Notes<M>;
  /** True if MessagePack carries the members by their position instead of their name. */
  readonly isIndexed: boolean;
}

/** Words about members of a record. */
export type Notes<M extends Members> = { readonly [K in keyof M]?: string };

/** Checks that a type, or a stream of items, is a record. */
export function isRecord(type: object): type is RecordType<Members> {
  return 'members' in type;
}

/** A value or null. A member that is absent reads as null. */
export function nullable<T>(type: ContractType<T>): NullableType<T> {
  return {
    name: type.name,
    limit: type.limit,
    of: type,
    nullable: true,
    absent: () => null,
    encode: (value, encoding) => (value === null ? null : type.encode(value, encoding)),
    decode: (raw, encoding) => (raw === null ? null : type.decode(raw, encoding)),
    write: (value, writer) => (value === null ? writer.nil() : type.write(value, writer)),
  };
}

/** A member that is written only when it is set. Null and absent read as undefined. */
export function optional<T>(type: ContractType<T>): OptionalType<T> {
  return {
    name: type.name,
    limit: type.limit,
    of: type,
    optional: true,
    absent: () => undefined,
    encode: (value, encoding) => (value === undefined ? undefined : type.encode(value, encoding)),
    decode: (raw, encoding) => (raw === null ? undefined : type.decode(raw, encoding)),
    write: (value, writer) => (value === undefined ? writer.nil() : type.write(value, writer)),
  };
}

/** The same type with another default for a member that is absent. */
export function withDefault<T>(type: ContractType<T>, value: T): ContractType<T> {
  return { ...type, absent: () => value };
}

/** A list of at most `maxItems`. Null, which some clients send, reads as an empty list. */
export function arrayOf<T>(item: ContractType<T>, maxItems: number = MAX_ITEMS): ContractType<T[]> {
  const size = `at most ${inWords(maxItems)} items`;
  return {
    name: `${item.name}[]`,
    limit: item.limit === undefined ? size : `${size}, each ${item.limit}`,
    of: item,
    absent: () => [],
    encode: (values, encoding) => values.map((value) => item.encode(value, encoding)),
    decode(raw, encoding) {
      if (raw === null) return [];
      if (!Array.isArray(raw)) throw new WireTypeError('must be a list');
      if (raw.length > maxItems) throw new WireTypeError(`must not hold more than ${maxItems} items`);
      const values: T[] = [];
      try {
        for (const rawItem of raw) values.push(item.decode(rawItem, encoding));
      } catch (error) {
        throw error instanceof WireTypeError ? error.within(`[${values.length}]`) : error;
      }
      return values;
    },
    write(values, writer) {
      writer.arrayHeader(values.length);
      for (const value of values) item.write(value, writer);
    },
  };
}

/**
 * An object. In JSON its names are camelCase and are read in any case; in MessagePack it is a map with PascalCase names. Unknown
 * members are ignored.
 */
export function record<M extends Members>(name: string, description: string, members: M, notes: Notes<M> = {}): RecordType<M> {
  const layout = new Layout(members);
  return {
    ...recordBase(name, members),
    description,
    notes,
    isIndexed: false,
    encode: (value, encoding) => layout.encodeNamed(value, encoding),
    decode: (raw, encoding) => asRecordValue<M>(layout.decodeNamed(raw, encoding)),
    write(value, writer) {
      writer.mapHeader(layout.size);
      layout.eachMember(value, (member, memberValue) => {
        writer.encoded(member.signedName);
        member.type.write(memberValue, writer);
      });
    },
  };
}

/** Like a record, but in MessagePack it is a list of the members in their order. */
export function indexedRecord<M extends Members>(name: string, description: string, members: M, notes: Notes<M> = {}): RecordType<M> {
  const layout = new Layout(members);
  return {
    ...recordBase(name, members),
    description,
    notes,
    isIndexed: true,
    encode: (value, encoding) => (encoding === 'json' ? layout.encodeNamed(value, encoding) : layout.encodeIndexed(value)),
    decode: (raw, encoding) => asRecordValue<M>(encoding === 'json' ? layout.decodeNamed(raw, encoding) : layout.decodeIndexed(raw)),
    write(value, writer) {
      writer.arrayHeader(layout.size);
      layout.eachMember(value, (member, memberValue) => member.type.write(memberValue, writer));
    },
  };
}

function recordBase<M extends Members>(name: string, members: M) {
  return {
    name,
    members,
    absent(): RecordValue<M> {
      throw new WireTypeError('is required');
    },
  };
}

interface Member {
  readonly camelName: string;
  readonly pascalName: string;
  /** `pascalName` as MessagePack, for the bytes that are signed. */
  readonly signedName: Uint8Array;
  readonly type: ContractType<unknown>;
}

type Named = Record<string, unknown>;

/** Types a record that was put together of decoded members: the only cast, kept in one place. */
function asRecordValue<M extends Members>(value: Named): RecordValue<M>;
function asRecordValue(value: Named): Named {
  return value;
}

/** The members of a record in their order, prepared for fast encoding and decoding. */
class Layout {
  private readonly ordered: readonly Member[];
  private readonly camelNamesByLowerCase: ReadonlyMap<string, string>;

  constructor(members: Members) {
    this.ordered = Object.entries(members).map(([camelName, type]) => toMember(camelName, type));
    this.camelNamesByLowerCase = new Map(this.ordered.map(({ camelName }) => [camelName.toLowerCase(), camelName]));
  }

  get size(): number {
    return this.ordered.length;
  }

  eachMember(value: Named, visit: (member: Member, memberValue: unknown) => void): void {
    for (const member of this.ordered) visit(member, value[member.camelName]);
  }

  encodeNamed(value: Named, encoding: Encoding): Named {
    const encoded: Named = {};
    for (const member of this.ordered) {
      const memberValue = member.type.encode(value[member.camelName], encoding);
      if (memberValue !== undefined) encoded[encoding === 'json' ? member.camelName : member.pascalName] = memberValue;
    }
    return encoded;
  }

  encodeIndexed(value: Named): unknown[] {
    return this.ordered.map((member) => member.type.encode(value[member.camelName], 'messagepack'));
  }

  decodeNamed(raw: unknown, encoding: Encoding): Named {
    if (!isNamed(raw)) throw new WireTypeError('must be an object');
    const value: Named = {};
    const isJson = encoding === 'json';
    let complete = true;
    let current = '';
    try {
      for (const { camelName, pascalName, type } of this.ordered) {
        const memberRaw = raw[isJson ? camelName : pascalName];
        current = camelName;
        if (memberRaw === undefined) complete = false;
        else value[camelName] = type.decode(memberRaw, encoding);
      }
    } catch (error) {
      throw error instanceof WireTypeError ? error.within(current) : error;
    }
    return complete ? value : this.fillGaps(value, raw, encoding);
  }

  decodeIndexed(raw: unknown): Named {
    if (!Array.isArray(raw)) throw new WireTypeError('must be a list');
    const value: Named = {};
    this.ordered.forEach((member, index) => {
      value[member.camelName] =
        index < raw.length ? decodeWithin(member.camelName, member.type, raw[index], 'messagepack') : absentWithin(member);
    });
    return value;
  }

  /** The uncommon case: a name has another case than usual, or a member is absent. */
  private fillGaps(found: Named, raw: Named, encoding: Encoding): Named {
    const gaps = encoding === 'json' ? this.namesInOtherCase(raw) : new Map<string, unknown>();
    const value: Named = {};
    for (const member of this.ordered) {
      const { camelName } = member;
      if (Object.hasOwn(found, camelName)) value[camelName] = found[camelName];
      else if (gaps.has(camelName)) value[camelName] = decodeWithin(camelName, member.type, gaps.get(camelName), encoding);
      else setUnlessUndefined(value, camelName, absentWithin(member));
    }
    return value;
  }

  private namesInOtherCase(raw: Named): Map<string, unknown> {
    const gaps = new Map<string, unknown>();
    for (const key of Object.keys(raw)) {
      const camelName = this.camelNamesByLowerCase.get(key.toLowerCase());
      if (camelName !== undefined) gaps.set(camelName, raw[key]);
    }
    return gaps;
  }
}

function setUnlessUndefined(target: Named, key: string, value: unknown): void {
  if (value !== undefined) target[key] = value;
}

function decodeWithin<T>(segment: string, type: ContractType<T>, raw: unknown, encoding: Encoding): T {
  try {
    return type.decode(raw, encoding);
  } catch (error) {
    throw error instanceof WireTypeError ? error.within(segment) : error;
  }
}

function absentWithin(member: Member): unknown {
  try {
    return member.type.absent();
  } catch (error) {
    throw error instanceof WireTypeError ? error.within(member.camelName) : error;
  }
}

/** False for a MessagePack map with a key that is no text, too: it is read as a `Map`. */
function isNamed(raw: unknown): raw is Named {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw) && !(raw instanceof Map);
}

const names = new MessagePackWriter(plainMemory);

function toMember(camelName: string, type: ContractType<unknown>): Member {
  const pascalName = camelName.charAt(0).toUpperCase() + camelName.slice(1);
  names.begin();
  names.text(pascalName);
  return { camelName, pascalName, signedName: names.end(), type };
}
