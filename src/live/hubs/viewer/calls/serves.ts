import { obsoleteFormsOf, type HubMethod as HubMethodDescriptor, type ViewerMethod } from '#libs/contracts';
import type { Invocation } from '#libs/signalr';
import { HubMethod, hubParameter } from '#libs/signalr/nest';

import type { Handler } from './viewer-call.js';
import type { ViewerCalls } from './viewer-calls.js';

/** A gateway of the viewer hub. */
interface ServingGateway {
  readonly calls: ViewerCalls;
}

type Bound = (this: ServingGateway, invocation: Invocation) => Promise<unknown>;

/**
 * Makes a gateway's method the handler of a method of the viewer hub, and of its obsolete forms. Calls reach it through
 * {@link ViewerCalls}, which applies the rules of the method first.
 */
export function Serves<M extends ViewerMethod>(method: M) {
  return (gateway: ServingGateway, key: string, { value: handle }: TypedPropertyDescriptor<Handler<M>>): void => {
    if (handle === undefined) throw new TypeError(`${key} is no method.`);
    bind(gateway, method, function (invocation) {
      return this.calls.answer(method, invocation, invocation.args, handle.bind(this));
    });
    for (const form of obsoleteFormsOf(method)) {
      bind(gateway, form, async function (invocation) {
        const request = form.toRequest(invocation.args);
        return form.toAnswer(await this.calls.answer(method, invocation, [request], handle.bind(this)));
      });
    }
  };
}

/** Adds a method to the gateway, which the hub calls with the unchanged invocation. */
function bind(gateway: ServingGateway, method: HubMethodDescriptor, value: Bound): void {
  const property = { value, configurable: true };
  Object.defineProperty(gateway, method.name, property);
  hubParameter((invocation) => invocation)(gateway, method.name, 0);
  HubMethod(method)(gateway, method.name, property);
}
