import type { ChangeLogFilter } from '../../api/access/change-log.js';
import { choiceOf } from '../../model/search-params.js';
import type { ChangeLogAddress } from '../../model/change-log-search.js';

/*
 * Kinds of entries and targets that filters of the log offer.
 */

/** The actions that have a sentence of their own. */
export const ACTIONS = [
  'agent-bundle-build-requested',
  'credential-scope-removed',
  'credential-scope-set',
  'credential-scope-trim',
  'customer-created',
  'customer-deleted',
  'customer-devices-assigned',
  'customer-updated',
  'device-alias-updated',
  'device-deleted',
  'device-field-created',
  'device-field-deleted',
  'device-field-updated',
  'device-group-created',
  'device-group-deleted',
  'device-group-members-added',
  'device-group-members-removed',
  'device-group-notes-updated',
  'device-group-updated',
  'device-key-approved',
  'device-key-refused',
  'device-notes-updated',
  'device-registered',
  'device-session-ended',
  'device-session-finished',
  'device-session-recording-finished',
  'device-session-recording-started',
  'device-session-started',
  'device-tag-added',
  'device-tag-removed',
  'installer-key-customer-changed',
  'installer-key-created',
  'installer-key-deleted',
  'installer-key-exhausted',
  'installer-key-expired',
  'installer-key-updated',
  'invite-accepted',
  'invite-created',
  'invite-deleted',
  'invite-expiry-changed',
  'invite-renewed',
  'log-retention-updated',
  'logon-token-created',
  'logon-token-deleted',
  'logon-token-redeemed',
  'permission-assignment-created',
  'permission-assignment-deleted',
  'permission-assignment-updated',
  'permission-assignments-seeded',
  'personal-access-token-created',
  'personal-access-token-deleted',
  'personal-access-token-updated',
  'server-alert-updated',
  'server-backup-requested',
  'server-backup-verified',
  'service-account-created',
  'service-account-credential-created',
  'service-account-credential-deleted',
  'service-account-credential-revoked',
  'service-account-deleted',
  'service-account-updated',
  'tag-created',
  'tag-deleted',
  'tag-devices-removed',
  'tag-renamed',
  'tenant-created',
  'tenant-deleted',
  'tenant-log-closed',
  'tenant-setting-created',
  'tenant-setting-deleted',
  'tenant-setting-updated',
  'tenant-updated',
  'user-created',
  'user-deleted',
  'user-email-changed',
  'user-email-confirmed',
  'user-external-login-added',
  'user-external-login-removed',
  'user-group-created',
  'user-group-deleted',
  'user-group-members-added',
  'user-group-members-removed',
  'user-group-updated',
  'user-passkey-added',
  'user-passkey-removed',
  'user-passkey-renamed',
  'user-password-changed',
  'user-password-reset',
  'user-recovery-codes-replaced',
  'user-suspended',
  'user-suspension-lifted',
  'user-two-factor-disabled',
  'user-two-factor-enabled',
  'webhook-created',
  'webhook-deleted',
  'webhook-paused',
  'webhook-resumed',
  'webhook-secret-replaced',
  'webhook-updated',
] as const;

export type Action = (typeof ACTIONS)[number];

/** The kinds of object that changes are about. */
export const TARGETS = [
  'AgentBundle',
  'Customer',
  'Device',
  'DeviceField',
  'DeviceGroup',
  'InstallerKey',
  'Invite',
  'LogonToken',
  'PermissionAssignment',
  'PersonalAccessToken',
  'ServerAlert',
  'ServerBackup',
  'ServiceAccount',
  'ServiceAccountCredential',
  'Tag',
  'Tenant',
  'TenantSetting',
  'User',
  'UserGroup',
  'Webhook',
] as const;

/** Actions on users themselves: others begin with the word too. */
const USER_ACTIONS = ACTIONS.filter((action) => action.startsWith('user-') && !action.startsWith('user-group-'));

/** Beginnings of actions by what they are about, where it is not the name of the target with dashes. */
const PREFIXES: Readonly<Partial<Record<(typeof TARGETS)[number], readonly string[]>>> = {
  Device: ['device-alias', 'device-deleted', 'device-key', 'device-notes', 'device-registered', 'device-session', 'device-tag'],
  PersonalAccessToken: ['personal-access-token', 'credential-scope'],
  ServiceAccount: ['service-account-created', 'service-account-deleted', 'service-account-updated'],
  Tag: ['tag-'],
  Tenant: ['tenant-created', 'tenant-deleted', 'tenant-log-closed', 'tenant-updated', 'log-retention'],
  User: USER_ACTIONS,
};

const dashed = (target: string): string => target.replaceAll(/(?<=[a-z])[A-Z]/g, '-$&').toLowerCase();

/** The actions on a kind of object. */
export function actionsOn(target: (typeof TARGETS)[number]): readonly Action[] {
  const prefixes = PREFIXES[target] ?? [dashed(target)];
  return ACTIONS.filter((action) => prefixes.some((prefix) => action.startsWith(prefix)));
}

const FILTERS = ['action', 'target', 'actor', 'about', 'permission', 'reference', 'text', 'from', 'to'] as const;
const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const idOf = (text: string | undefined): string | undefined => (text !== undefined && GUID.test(text) ? text : undefined);

const instantOf = (text: string | undefined): string | undefined =>
  text === undefined || Number.isNaN(Date.parse(text)) ? undefined : text;

/** The address without parts that mean nothing: unknown actions and targets, and texts that are no id or no instant. */
export const knownPartsOf = (address: ChangeLogAddress): ChangeLogAddress => ({
  ...address,
  action: choiceOf(address.action, ACTIONS),
  target: choiceOf(address.target, TARGETS),
  actor: idOf(address.actor),
  about: idOf(address.about),
  from: instantOf(address.from),
  to: instantOf(address.to),
  entry: idOf(address.entry),
});

/** True if the address narrows the log down. */
export const isFiltered = (search: ChangeLogAddress): boolean => FILTERS.some((name) => search[name] !== undefined);

/** The filters of an address as the service takes them. */
export function filterOf({ action, target, actor, about, permission, reference, text, from, to }: ChangeLogAddress): ChangeLogFilter {
  const kind = choiceOf(target, TARGETS);
  const ofKind = kind === undefined ? undefined : actionsOn(kind);
  const actions = action === undefined ? ofKind : ofKind === undefined || ofKind.some((each) => each === action) ? [action] : ['none'];
  return { search: text, actorId: actor, subjectId: about, permission, reference, actions: actions?.join(','), from, to };
}
