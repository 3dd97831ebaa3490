import type { Frame, HubProtocol } from '../protocol/hub-protocol.js';
import { type Encoding, MessageType } from '../protocol/messages.js';
import type { ClientMethodDescriptor, ClientParameters } from './method-descriptor.js';

/** A call of a client method. It is encoded at most once per encoding, for any number of connections. */
export class ClientCall<R = unknown> {
  #json: Frame | undefined;
  #messagePack: Frame | undefined;

  constructor(
    readonly method: ClientMethodDescriptor<ClientParameters, R>,
    private readonly values: readonly unknown[],
  ) {}

  /** The encoded message that wants no answer. It can be sent any number of times. */
  frame(protocol: HubProtocol): Frame {
    if (protocol.name === 'json') return (this.#json ??= Buffer.from(this.write(protocol)));
    return (this.#messagePack ??= this.write(protocol));
  }

  /** Encodes the message; with an `invocationId` it wants an answer. @throws TypeError when a value does not fit the encoding */
  write(protocol: HubProtocol, invocationId?: string): Frame {
    return protocol.write({
      type: MessageType.Invocation,
      invocationId,
      target: this.method.name,
      arguments: this.#encode(protocol.name),
    });
  }

  #encode(encoding: Encoding): unknown[] {
    const { parameters, name } = this.method;
    if (this.values.length !== parameters.length) {
      throw new TypeError(`'${name}' takes ${parameters.length} argument(s), not ${this.values.length}.`);
    }
    return parameters.map((type, index) => type.encode(this.values[index], encoding));
  }
}
