import type { Encoding } from '../../protocol/messages.js';
import { EncodedCall } from './encoded-call.js';
import type { ClientMethodDescriptor, ClientParameters } from './method-descriptor.js';

/** A call of a client method with the values of the program. */
export class ClientCall<R = unknown> extends EncodedCall {
  /** @throws TypeError when the number of values is not that of the method's parameters */
  constructor(
    readonly method: ClientMethodDescriptor<ClientParameters, R>,
    private readonly values: readonly unknown[],
  ) {
    super();
    const { parameters, name } = method;
    if (values.length !== parameters.length) throw new TypeError(`'${name}' takes ${parameters.length} argument(s), not ${values.length}.`);
  }

  get name(): string {
    return this.method.name;
  }

  encode(encoding: Encoding): unknown[] {
    return this.method.parameters.map((type, index) => type.encode(this.values[index], encoding));
  }
}
