import { postCustomerDevices } from '../../../api/devices/customers.js';
import { postGroupDevices } from '../../../api/devices/device-groups.js';
import { deleteDevices } from '../../../api/devices/device-mutations.js';
import { postDeviceTag } from '../../../api/devices/tags.js';
import { deviceQuery } from '../../../api/devices/devices.js';
import { queryClient } from '../../../api/queries.js';
import { expectSuccess, invoke } from '../../../live/hub.js';
import { type Act, PERMISSIONS, type Target, type ToldKind } from './act.js';
import { type Outcome, outcomeOf, wasNotSent } from './outcomes.js';
import { t } from './texts.js';

/** Calls at the same time. More would delay the live updates of the page. */
const AT_ONCE = 4;
/** Devices in one call of the routes that take many. */
const IN_ONE_CALL = 1000;

/** The power states by their numbers in the contract. */
const RESTART = 1;
const SHUT_DOWN = 2;

/** Reason for the agent's removal, for its log. */
const UNINSTALL_REASON = 'Asked for in the list of devices.';

type Report = (outcome: Outcome) => void;

/** Carries out the act on each device and calls `report` with every outcome as it arrives. After `signal`, no further call begins. */
export async function actOnAll(targets: readonly Target[], act: Act, report: Report, signal: AbortSignal): Promise<void> {
  switch (act.kind) {
    case 'delete':
      return inCalls(targets, signal, report, deleteDevices);
    case 'customer':
      return inCalls(targets, signal, report, async (deviceIds) => {
        await postCustomerDevices(act.id, deviceIds);
        return [];
      });
    case 'group':
      return inCalls(targets, signal, report, async (deviceIds) => {
        await postGroupDevices(act.id, deviceIds);
        return [];
      });
    case 'tag':
      return oneByOne(targets, act, signal, report, async ({ id }) => void (await postDeviceTag(id, act.id)));
    case 'refresh':
    case 'wake':
    case 'restart':
    case 'shutdown':
    case 'update':
    case 'uninstall': {
      const { kind } = act;
      return oneByOne(targets, act, signal, report, (target) => tell(target, kind));
    }
  }
}

/** Sends the act to a device through the service. */
async function tell({ id: deviceId, macAddresses }: Target, kind: ToldKind): Promise<void> {
  const permission = PERMISSIONS[kind];
  switch (kind) {
    case 'refresh':
      expectSuccess(await invoke('RefreshDeviceInfo2', { deviceId }), permission, deviceId);
      return;
    case 'wake':
      expectSuccess(await invoke('SendWakeDevice2', { deviceId, macAddresses: [...macAddresses] }), permission, deviceId);
      return;
    case 'restart':
      expectSuccess(await invoke('SendPowerStateChange2', { deviceId, changeType: RESTART }), permission, deviceId);
      return;
    case 'shutdown':
      expectSuccess(await invoke('SendPowerStateChange2', { deviceId, changeType: SHUT_DOWN }), permission, deviceId);
      return;
    case 'update':
      expectSuccess(await invoke('SendAgentUpdateTrigger2', { deviceId }), permission, deviceId);
      return;
    case 'uninstall':
      expectSuccess(await invoke('UninstallAgent2', { deviceId, reason: UNINSTALL_REASON }), permission, deviceId);
  }
}

/** Asks the service for the device's present state: the list may be older. */
async function isOffline(deviceId: string): Promise<boolean> {
  try {
    const { isOnline } = await queryClient.fetchQuery({ ...deviceQuery(deviceId), staleTime: 0 });
    return !isOnline;
  } catch {
    return false;
  }
}

async function oneByOne(
  targets: readonly Target[],
  { kind }: Act,
  signal: AbortSignal,
  report: Report,
  actOn: (target: Target) => Promise<void>,
): Promise<void> {
  const waiting = [...targets];
  const work = async (): Promise<void> => {
    for (let target = waiting.shift(); target !== undefined && !signal.aborted; target = waiting.shift()) {
      try {
        await actOn(target);
        report({ id: target.id, kind: 'done' });
      } catch (error) {
        const isKnownOffline = wasNotSent(kind, error) && (await isOffline(target.id));
        report(isKnownOffline ? { id: target.id, kind: 'offline' } : outcomeOf(target.id, error));
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** For routes that take many devices. `call` answers the ids that could not be deleted. */
async function inCalls(
  targets: readonly Target[],
  signal: AbortSignal,
  report: Report,
  call: (ids: string[]) => Promise<readonly string[]>,
): Promise<void> {
  for (let from = 0; from < targets.length && !signal.aborted; from += IN_ONE_CALL) {
    const part = targets.slice(from, from + IN_ONE_CALL);
    try {
      const refused = new Set(await call(part.map(({ id }) => id)));
      for (const { id } of part) report(refused.has(id) ? { id, kind: 'refused', reason: t('not-deleted') } : { id, kind: 'done' });
    } catch (error) {
      for (const { id } of part) report(outcomeOf(id, error));
    }
  }
}
