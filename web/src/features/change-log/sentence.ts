import { type Entry, fieldsOf, type NameOf } from './entry.js';
import { type Action, ACTIONS, TARGETS } from './kinds.js';
import { permissionName } from '../../i18n/permission-names.js';
import { t } from './texts.js';

const isAction = (action: string): action is Action => (ACTIONS as readonly string[]).includes(action);

/** Targets whose stored states name the added or removed object instead of themselves. */
const NAMES_OTHERS: ReadonlySet<string> = new Set(['device-tag-added', 'device-tag-removed', 'user-passkey-added', 'user-passkey-removed']);

/** Sentences that name the only member. */
const ONE_MEMBER = {
  'device-group-members-added': 'sentence-one-device-added',
  'device-group-members-removed': 'sentence-one-device-removed',
  'user-group-members-added': 'sentence-one-user-added',
  'user-group-members-removed': 'sentence-one-user-removed',
} as const;
const hasOneForm = (action: Action): action is keyof typeof ONE_MEMBER => action in ONE_MEMBER;

/** The start of an id, enough to tell two of them apart. */
const SHORT = 8;
const shortId = (id: string): string => id.slice(0, SHORT);

/** Actor of an entry: by name if it is known. */
export function actorOf({ actorPrincipalType, actorPrincipalId }: Entry, nameOf: NameOf): string {
  if (actorPrincipalId === null) return t('actor-system');
  const name = nameOf(actorPrincipalId);
  if (name !== undefined) return name;
  const id = shortId(actorPrincipalId);
  return actorPrincipalType === 'service-account' ? t('actor-unnamed-service-account', { id }) : t('actor-unnamed-user', { id });
}

/** Target of an entry: by the name that it had then, else by today's, else by its id. */
export function targetOf(entry: Entry, nameOf: NameOf): string {
  const { actionType, targetId, targetType } = entry;
  const fields = fieldsOf(entry);
  if (targetType === 'PermissionAssignment' && isFilled(fields.permissionName)) return permissionName(fields.permissionName);
  const stored = NAMES_OTHERS.has(actionType)
    ? undefined
    : [fields.name, fields.friendlyName, fields.userName, fields.inviteeEmail].find(isFilled);
  if (stored !== undefined) return stored;
  if (targetId === null) return '';
  return nameOf(targetId) ?? (targetType === 'Tenant' ? t('unnamed') : shortId(targetId));
}

/** An entry as a sentence: actor, action, target, place. */
export function sentenceOf(entry: Entry, nameOf: NameOf): string {
  const fields = fieldsOf(entry);
  const values = {
    actor: actorOf(entry, nameOf),
    target: targetOf(entry, nameOf),
    count: typeof fields.count === 'number' ? fields.count : listLength(fields.deviceIds),
    name: textOf(fields.name),
    permission: permissionName(textOf(fields.permissionName)),
    principal: named(fields.principalId, nameOf),
    scope: scopeOf(fields, nameOf),
    value: textOf(fields.value),
  };
  const { actionType } = entry;
  // A permission without a scope, and a change without an object, leave a space at the end.
  if (!isAction(actionType)) return t('sentence-other', { ...values, action: actionType }).trim();
  const member = onlyMemberOf(fields, nameOf);
  if (member !== undefined && hasOneForm(actionType)) return t(ONE_MEMBER[actionType], { ...values, member });
  if (actionType === 'permission-assignment-created')
    return t(fields.effect === 'Deny' ? 'sentence-denied' : 'sentence-allowed', values).trim();
  return t(`sentence-${actionType}`, values).trim();
}

/** The name of an action for a list of choices: "Customer created". */
export function actionName(action: string): string {
  const words = action.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The name of the only user or device that an entry added or removed; undefined for more, or where it has no name. */
function onlyMemberOf({ userIds, deviceIds }: Readonly<Record<string, unknown>>, nameOf: NameOf): string | undefined {
  const ids: readonly unknown[] = Array.isArray(userIds) ? userIds : Array.isArray(deviceIds) ? deviceIds : [];
  return ids.length === 1 && isFilled(ids[0]) ? nameOf(ids[0]) : undefined;
}

/** The kind of an entry's target in words. */
export const kindOf = ({ targetType }: Entry): string => kindNameOf(targetType);

/** A kind of object in words. */
export function kindNameOf(kind: string): string {
  if (kind === 'Permission') return t('target-PermissionAssignment');
  if (kind === 'Preset') return t('preset');
  if (kind === 'Reference') return t('correlation-session');
  const known = TARGETS.find((target) => target === kind);
  return known === undefined ? kind : t(`target-${known}`);
}

/** Scope of a permission in words: "on the whole tenant", "at customer Acme". */
function scopeOf({ scopeKind, scopeId }: Readonly<Record<string, unknown>>, nameOf: NameOf): string {
  switch (scopeKind) {
    case 'Server':
      return t('scope-server');
    case 'Tenant':
      return t('scope-tenant');
    case 'CustomerTenant':
      return t('scope-customer', { name: named(scopeId, nameOf) });
    case 'DeviceGroup':
      return t('scope-device-group', { name: named(scopeId, nameOf) });
    case 'Device':
      return t('scope-device', { name: named(scopeId, nameOf) });
    case 'UserGroup':
      return t('scope-user-group', { name: named(scopeId, nameOf) });
    default:
      return '';
  }
}

const isFilled = (value: unknown): value is string => typeof value === 'string' && value !== '';
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const named = (id: unknown, nameOf: NameOf): string => (isFilled(id) ? (nameOf(id) ?? shortId(id)) : '');
const listLength = (list: unknown): number => (Array.isArray(list) ? list.length : 0);
