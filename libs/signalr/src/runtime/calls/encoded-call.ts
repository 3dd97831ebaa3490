import type { Frame, HubProtocol } from '../../protocol/hub-protocol.js';
import { type Encoding, MessageType } from '../../protocol/messages.js';
import type { OutgoingCall } from './outgoing-call.js';

/** A call of a client method. It is encoded at most once per protocol, for any number of connections. */
export abstract class EncodedCall implements OutgoingCall {
  #frames: Map<HubProtocol, Frame | Misfit> | undefined;

  abstract readonly name: string;

  abstract encode(encoding: Encoding): readonly unknown[];

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
      target: this.name,
      arguments: this.encode(protocol.encoding),
    });
  }

  #tryToWrite(protocol: HubProtocol): Frame | Misfit {
    try {
      const frame = this.write(protocol);
      // A copy of its own: the frame may wait for slow clients, and must not keep the buffer in which it was written.
      return Buffer.from(frame);
    } catch (error) {
      return new Misfit(error);
    }
  }
}

/** The call cannot be encoded in a protocol. */
class Misfit {
  constructor(readonly error: unknown) {}
}

/** A call that another node has made, of the arguments that a backplane has brought. */
export class CarriedCall extends EncodedCall {
  /** @param args by encoding, as {@link OutgoingCall.encode} has given them. Without those of an encoding its clients are left out */
  constructor(
    readonly name: string,
    private readonly args: Readonly<Partial<Record<Encoding, readonly unknown[]>>>,
  ) {
    super();
  }

  encode(encoding: Encoding): readonly unknown[] {
    const args = this.args[encoding];
    if (args === undefined) throw new TypeError(`The call has no form in ${encoding}.`);
    return args;
  }
}
