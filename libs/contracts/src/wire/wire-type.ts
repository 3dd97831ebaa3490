import type { MessagePackWriter } from '#libs/signalr/wire';

/** The two encodings of the hub protocols. */
export type Encoding = 'json' | 'messagepack';

/** Converts a typed value to the form that a JSON or MessagePack serializer writes, and back. */
export interface WireType<T> {
  readonly name: string;
  /** The plain value to serialize. The value is not checked. */
  encode(value: T, encoding: Encoding): unknown;
  /** The typed value of what was received. @throws WireTypeError when it does not fit */
  decode(raw: unknown, encoding: Encoding): T;
}

/** A wire type of the contract, with a default and with a canonical form for signatures. */
export interface ContractType<T> extends WireType<T> {
  /** The limit of what is read, in words: `at most 100 characters`. For the documentation. */
  readonly limit?: string;
  /** The type inside a list, or the type that may be null or absent. For the documentation. */
  readonly of?: ContractType<unknown>;
  /** The value of a member that is not on the wire. Throws WireTypeError when the member is required. */
  absent(): T;
  /** Writes the value in the form that is signed: MessagePack in which enums are integers. */
  write(value: T, writer: MessagePackWriter): void;
}

/** The TypeScript type that a wire type describes. */
export type Infer<W> = W extends WireType<infer T> ? T : never;

/** A value that was received does not fit the contract. `path` names the member, for example `drives[2].totalSize`. */
export class WireTypeError extends Error {
  override readonly name = 'WireTypeError';

  constructor(
    /** The problem, as the end of a sentence such as `must be a whole number`. */
    readonly problem: string,
    readonly path: string = '',
  ) {
    super(`${path === '' ? 'The value' : path} ${problem}.`);
  }

  /** The same problem with the path from the object or list around it. */
  within(segment: string): WireTypeError {
    const joint = this.path === '' || this.path.startsWith('[') ? '' : '.';
    return new WireTypeError(this.problem, `${segment}${joint}${this.path}`);
  }
}
