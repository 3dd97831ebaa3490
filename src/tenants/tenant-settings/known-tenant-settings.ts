import { textOf, trueOrFalse } from '../named-settings/named-setting.js';
import { MAXIMUM_SETTING_LENGTH } from '../named-settings/named-settings.js';

/** The instance id becomes part of folder and service names on devices. So `.`, `..` and the name of the unnamed instance are refused. */
const INSTANCE_ID = /^(?!default$|\.{1,2}$)[a-z0-9._-]+$/i;

/** The tenant settings that the service knows, by the DTO member that carries them. */
export const setting = {
  appendInstanceId: trueOrFalse<boolean | null>(
    'append-instance-id',
    'True if deployment scripts install the agent as a named instance, so that agents of several servers fit on one device.',
    null,
  ),
  instanceId: textOf<string | null>('instance-id', 'Name of the instance that deployment scripts install the agent as.', null, {
    max: MAXIMUM_SETTING_LENGTH,
    pattern: INSTANCE_ID,
    rule: 'letters, digits, dots, underscores and hyphens, but not "default", "." or ".."',
    example: 'workshop',
  }),
  notifyUserOnSessionStart: trueOrFalse<boolean | null>(
    'notify-user-on-session-start',
    'True if the person at the device is notified when a remote session starts. A value here overrides the preference of every user.',
    null,
  ),
  requireApprovalForNewDeviceKeys: trueOrFalse<boolean | null>(
    'require-approval-for-new-device-keys',
    'True if a known device that registers with another key cannot be reached until a user approves the key. Null counts as false.',
    null,
  ),
};
