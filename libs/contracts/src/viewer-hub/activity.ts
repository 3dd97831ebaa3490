import { DevicePermission } from '../device-permissions.js';
import { hub } from '../hub-method.js';
import { HubResult } from '../hub-result.js';
import { EVERY_VIEWER, onDevice, positional, viewerMethod } from '../viewer-method.js';
import { record } from '../wire/composites.js';
import { MAX_NAME_LENGTH } from '../wire/limits.js';
import { guid, text } from '../wire/primitives.js';
import type { Infer } from '../wire/wire-type.js';

export const StartDeviceAccessActivityRequestDto = record('StartDeviceAccessActivityRequestDto', 'The device that the viewer visits.', {
  deviceId: guid,
});
export type StartDeviceAccessActivityRequestDto = Infer<typeof StartDeviceAccessActivityRequestDto>;

export const AddViewerActivityRequestDto = record(
  'AddViewerActivityRequestDto',
  'An action of the viewer that does not call the server.',
  { activityName: text(MAX_NAME_LENGTH) },
  { activityName: 'The name of the span, for example `send_clipboard_text`.' },
);
export type AddViewerActivityRequestDto = Infer<typeof AddViewerActivityRequestDto>;

const current = hub({
  StartDeviceAccessActivity2: viewerMethod({
    description:
      'Begins the trace of a visit to a device: one span per connection. A second call ends the previous span and begins another.',
    parameters: [StartDeviceAccessActivityRequestDto],
    returns: HubResult,
    access: onDevice(DevicePermission.Read),
  }),
  AddViewerActivity2: viewerMethod({
    description: 'Adds a span to the trace of the visit.',
    parameters: [AddViewerActivityRequestDto],
    returns: HubResult,
    access: EVERY_VIEWER,
  }),
  DisposeDeviceAccessActivity: viewerMethod({
    description: 'Ends the trace of the visit, which otherwise ends with the connection.',
    parameters: [],
    returns: HubResult,
    access: EVERY_VIEWER,
  }),
});

/** Traces of what viewers do. */
export const activityMethods = {
  ...current,
  ...hub({
    StartDeviceAccessActivity: positional(current.StartDeviceAccessActivity2, ['deviceId']),
    AddViewerActivity: positional(current.AddViewerActivity2, ['activityName']),
  }),
};
