import type { Frame, HubProtocol } from '../../protocol/hub-protocol.js';
import type { Encoding } from '../../protocol/messages.js';

/** A call of a client method. */
export interface OutgoingCall {
  /** The name of the method. */
  readonly name: string;
  /** The encoded message that wants no answer. @throws TypeError when a value has no form in the protocol */
  frame(protocol: HubProtocol): Frame;
  /** The encoded message that wants an answer. @throws TypeError when a value has no form in the protocol */
  write(protocol: HubProtocol, invocationId: string): Frame;
  /**
   * The arguments as the encoding has them. A backplane sends them to other nodes, which make a `CarriedCall` of them.
   * @throws TypeError when one has no form in the encoding
   */
  encode(encoding: Encoding): readonly unknown[];
}
