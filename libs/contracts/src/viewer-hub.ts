import type { HubTable } from './hub-method.js';
import { activityMethods } from './viewer-hub/activity.js';
import { chatMethods } from './viewer-hub/chat.js';
import { desktopMethods } from './viewer-hub/desktops.js';
import { deviceMethods } from './viewer-hub/devices.js';
import { fileMethods } from './viewer-hub/files.js';
import { heartbeatMethods } from './viewer-hub/heartbeats.js';
import { terminalMethods } from './viewer-hub/terminals.js';
import type { ObsoleteForm, ViewerMethod } from './viewer-method.js';

/** The methods that a viewer calls on the server, at /hubs/viewer: the current forms, and the obsolete ones with positional arguments. */
export const viewerHub = {
  ...terminalMethods,
  ...desktopMethods,
  ...fileMethods,
  ...chatMethods,
  ...deviceMethods,
  ...heartbeatMethods,
  ...activityMethods,
} satisfies HubTable<Record<string, ViewerMethod | ObsoleteForm>>;

const methods: readonly (ViewerMethod | ObsoleteForm)[] = Object.values(viewerHub);

/** The methods of the viewer hub in their current form. */
export const currentViewerMethods = methods.filter((method): method is ViewerMethod => !isObsolete(method));

/** True if the method is an obsolete form. */
export function isObsolete(method: ViewerMethod | ObsoleteForm): method is ObsoleteForm {
  return 'replacedBy' in method;
}

/** The obsolete forms of a method. */
export function obsoleteFormsOf({ name }: ViewerMethod): readonly ObsoleteForm[] {
  return methods.filter(isObsolete).filter(({ replacedBy }) => replacedBy === name);
}
