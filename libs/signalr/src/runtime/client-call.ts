import type { Frame, HubProtocol } from '../protocol/hub-protocol.js';
import { type Encoding, MessageType } from '../protocol/messages.js';
import type { OutgoingCall } from './backplane.js';
import type { ClientMethodDescriptor, ClientParameters } from './method-descriptor.js';

/** A call of a client method. It is encoded at most once per protocol, for any number of connections. */
export class ClientCall<R = unknown> implements OutgoingCall {
  #frames: Map<HubProtocol, Frame | Misfit> | undefined;

  /** @throws TypeError when the number of values is not that of the method's parameters */
  constructor(
    readonly method: ClientMethodDescriptor<ClientParameters, R>,
    private readonly values: readonly unknown[],
  ) {
    const { parameters, name } = method;
    if (values.length !== parameters.length) throw new TypeError(`'${name}' takes ${parameters.length} argument(s), not ${values.length}.`);
  }

  get name(): string {
    return this.method.name;
  }

  /**
   * The encoded message that wants no answer. It can be sent any number of times.
   * @throws TypeError, the same one each time, when a value has no form in the encoding
   */
  frame(protocol: HubProtocol): Frame {
    let frame = this.#frames?.get(protocol);
    if (frame === undefined) {
      frame = this.#tryToWrite(protocol);
      (this.#frames ??= new Map()).set(protocol, frame);
    }
    if (frame instanceof Misfit) throw frame.error;
    return frame;
  }

  /** Encodes the message; with an `invocationId` it wants an answer. @throws TypeError when a value does not fit the encoding */
  write(protocol: HubProtocol, invocationId?: string): Frame {
    return protocol.write({
      type: MessageType.Invocation,
      invocationId,
      target: this.method.name,
      arguments: this.#encode(protocol.encoding),
    });
  }

  #tryToWrite(protocol: HubProtocol): Frame | Misfit {
    try {
      const frame = this.write(protocol);
      // A copy of its own: the frame may wait for slow clients, and must not keep the buffer that it was written in.
      return Buffer.from(frame);
    } catch (error) {
      return new Misfit(error);
    }
  }

  #encode(encoding: Encoding): unknown[] {
    return this.method.parameters.map((type, index) => type.encode(this.values[index], encoding));
  }
}

/** The call cannot be encoded in a protocol. */
class Misfit {
  constructor(readonly error: unknown) {}
}
