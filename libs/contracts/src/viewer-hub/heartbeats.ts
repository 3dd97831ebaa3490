import { DevicePermission } from '../device-permissions.js';
import { hub } from '../hub-method.js';
import { HubResult } from '../hub-result.js';
import { EVERY_VIEWER, onEachDevice, positional, viewerMethod, withoutAnswer } from '../viewer-method.js';
import { arrayOf, record } from '../wire/composites.js';
import { inWords, MAX_SUBSCRIPTION_IDS, MAX_SUBSCRIPTIONS } from '../wire/limits.js';
import { guid } from '../wire/primitives.js';
import type { Infer } from '../wire/wire-type.js';

export const SubscribeToDeviceHeartbeatsRequestDto = record(
  'SubscribeToDeviceHeartbeatsRequestDto',
  'Devices to subscribe to.',
  { deviceIds: arrayOf(guid) },
  { deviceIds: `At most ${MAX_SUBSCRIPTION_IDS} in one call. Duplicates count once in the subscription.` },
);
export type SubscribeToDeviceHeartbeatsRequestDto = Infer<typeof SubscribeToDeviceHeartbeatsRequestDto>;

export const UnsubscribeFromDeviceHeartbeatsRequestDto = record(
  'UnsubscribeFromDeviceHeartbeatsRequestDto',
  'Devices to unsubscribe from.',
  { deviceIds: arrayOf(guid) },
);
export type UnsubscribeFromDeviceHeartbeatsRequestDto = Infer<typeof UnsubscribeFromDeviceHeartbeatsRequestDto>;

const current = hub({
  SubscribeToDeviceHeartbeats2: viewerMethod({
    description:
      'Subscribes this connection to the state of devices, which it gets as `ReceiveDeviceUpdate`. Devices that do not exist are skipped. ' +
      `A connection is subscribed to at most ${inWords(MAX_SUBSCRIPTIONS)} devices; a call that goes beyond fails and adds none. ` +
      'A subscription ends with the connection, or when the viewer loses the permission on the device.',
    parameters: [SubscribeToDeviceHeartbeatsRequestDto],
    returns: HubResult,
    invalid: {
      reason: `Too many device IDs: at most ${MAX_SUBSCRIPTION_IDS} in one call.`,
      when: ({ deviceIds }) => deviceIds.length > MAX_SUBSCRIPTION_IDS,
    },
    access: onEachDevice(DevicePermission.Read),
  }),
  UnsubscribeFromDeviceHeartbeats2: viewerMethod({
    description: 'Unsubscribes this connection from the state of devices. Devices without a subscription are ignored.',
    parameters: [UnsubscribeFromDeviceHeartbeatsRequestDto],
    returns: HubResult,
    access: EVERY_VIEWER,
  }),
});

/** Subscriptions of viewers to the heartbeats of devices. */
export const heartbeatMethods = {
  ...current,
  ...hub({
    SubscribeToDeviceHeartbeats: positional(current.SubscribeToDeviceHeartbeats2, ['deviceIds']),
    UnsubscribeFromDeviceHeartbeats: withoutAnswer(positional(current.UnsubscribeFromDeviceHeartbeats2, ['deviceIds'])),
  }),
};
