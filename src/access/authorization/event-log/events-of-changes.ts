import { EventKind, type EventActor, type NewEvent } from './event-kinds.js';

/** Most permissions that an event lists; it also tells how many were changed. */
const MAXIMUM_LISTED = 20;

/** A change of an object, as the change log takes it. */
interface Change {
  readonly action: string;
  readonly targetId: string | null;
  readonly tenantId: string | null;
  readonly before?: object;
  readonly after?: object;
}

/** Members of the states of changes that events are made of. */
interface ChangedState {
  readonly isNew?: boolean;
  readonly installerKeyId?: string;
  readonly publicKey?: string | null;
  readonly awaitsApproval?: boolean | null;
  readonly principalKind?: string;
  readonly principalId?: string;
  readonly permissionName?: string;
  readonly effect?: string;
  readonly scopeKind?: string;
  readonly scopeId?: string | null;
  readonly isEnabled?: boolean;
  readonly presets?: readonly string[];
  readonly count?: number;
}

const KEY_DECISIONS: ReadonlyMap<string, string> = new Map([
  ['device-key-approved', 'approved'],
  ['device-key-refused', 'refused'],
]);
const ASSIGNMENT_ACTIONS: ReadonlyMap<string, string> = new Map([
  ['permission-assignment-created', 'created'],
  ['permission-assignment-updated', 'updated'],
  ['permission-assignment-deleted', 'deleted'],
]);

/** The events that changes cause, in their order. Changes of the assignments of one principal are one event. */
export function eventsOfChanges(changes: readonly Change[], actor: EventActor | null): readonly NewEvent[] {
  return [...changes.flatMap((change) => eventsOf(change, actor)), ...assignmentEvents(changes, actor)];
}

function eventsOf({ action, targetId, tenantId, before = {}, after = {} }: Change, actor: EventActor | null): NewEvent[] {
  if (tenantId === null || targetId === null) return [];
  const [former, current]: readonly ChangedState[] = [before, after];
  const onDevice = { tenantId, deviceId: targetId, actor };
  if (action === 'device-registered') {
    const { isNew = true, installerKeyId } = current;
    const registered = { ...onDevice, kind: EventKind.DeviceRegistered, data: { isNew, ...(installerKeyId && { installerKeyId }) } };
    const used = installerKeyId === undefined ? [] : [{ ...onDevice, kind: EventKind.InstallerKeyUsed, data: { installerKeyId } }];
    const state = keyStateOf(former, current);
    return [registered, ...used, ...(state === null ? [] : [{ ...onDevice, ...keyChanged(state, former, current) }])];
  }
  const decision = KEY_DECISIONS.get(action);
  if (decision !== undefined) return [{ ...onDevice, ...keyChanged(decision, former, current) }];
  if (action === 'permission-assignments-seeded') {
    const { principalKind, presets, count = 0 } = current;
    const data = { principalKind, principalId: targetId, presets, changes: [], count };
    return count === 0 ? [] : [{ tenantId, actor, kind: EventKind.PermissionChanged, data }];
  }
  return [];
}

/** Effect of a registration on the keys of a device; null when they stay as they are, and for its first key. */
function keyStateOf(former: ChangedState, current: ChangedState): string | null {
  if (current.awaitsApproval === true) return 'waiting';
  const had = former.publicKey ?? '';
  return had !== '' && had !== current.publicKey ? 'replaced' : null;
}

function keyChanged(state: string, former: ChangedState, current: ChangedState): Pick<NewEvent, 'kind' | 'data'> {
  const data = { state, fingerprint: current.publicKey ?? null, formerFingerprint: former.publicKey ?? null };
  return { kind: EventKind.DeviceKeyChanged, data };
}

function assignmentEvents(changes: readonly Change[], actor: EventActor | null): NewEvent[] {
  const byPrincipal = new Map<string, { readonly tenantId: string; readonly state: ChangedState; readonly changes: object[] }>();
  for (const { action, tenantId, before, after } of changes) {
    const changed = ASSIGNMENT_ACTIONS.get(action);
    if (changed === undefined || tenantId === null) continue;
    const state: ChangedState = after ?? before ?? {};
    const key = `${tenantId} ${state.principalKind} ${state.principalId}`;
    let group = byPrincipal.get(key);
    if (group === undefined) byPrincipal.set(key, (group = { tenantId, state, changes: [] }));
    const { permissionName: permission, effect, scopeKind, scopeId = null, isEnabled } = state;
    group.changes.push({ action: changed, permission, effect, scopeKind, scopeId, isEnabled });
  }
  return [...byPrincipal.values()].map(({ tenantId, state: { principalKind, principalId }, changes: all }) => ({
    tenantId,
    actor,
    kind: EventKind.PermissionChanged,
    data: { principalKind, principalId, changes: all.slice(0, MAXIMUM_LISTED), count: all.length },
  }));
}
