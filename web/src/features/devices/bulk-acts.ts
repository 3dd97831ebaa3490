import { api, bodyOf } from '../../api/client.js';
import { ProblemError, problemOf } from '../../api/problem.js';
import { expectSuccess, invoke } from '../../live/hub.js';
import type { Outcome } from './outcomes.js';

/** What can be done with several devices at once. */
export type BulkAct = 'refresh' | 'restart' | 'shutdown' | 'update' | 'delete' | { readonly tagId: string };

/** Hub calls under way at once: more would delay what the page shows live. */
const AT_ONCE = 4;
/** Devices that one call deletes. */
const DELETED_AT_ONCE = 1000;

const RESTART = 1;
const SHUT_DOWN = 2;

type DeviceAct = Exclude<BulkAct, 'delete'>;

async function actOn(deviceId: string, act: DeviceAct): Promise<void> {
  if (typeof act === 'object') {
    await api.POST('/api/v1/device-tags', { body: { deviceId, tagId: act.tagId } });
    return;
  }
  switch (act) {
    case 'refresh':
      expectSuccess(await invoke('RefreshDeviceInfo2', { deviceId }), 'device.read');
      return;
    case 'restart':
      expectSuccess(await invoke('SendPowerStateChange2', { deviceId, changeType: RESTART }), 'device.power.manage');
      return;
    case 'shutdown':
      expectSuccess(await invoke('SendPowerStateChange2', { deviceId, changeType: SHUT_DOWN }), 'device.power.manage');
      return;
    case 'update':
      expectSuccess(await invoke('SendAgentUpdateTrigger2', { deviceId }), 'device.agent.update');
  }
}

function outcomeOf(id: string, error: unknown): Outcome {
  const problem = problemOf(error);
  const missing = problem.missingPermission;
  if (problem.status === 403) return { id, kind: 'refused', reason: missing ?? problem.message };
  return { id, kind: 'failed', reason: problem.message };
}

/** Does the act on each device and tells of each; `onOutcome` hears of every one as it comes. */
export async function actOnAll(ids: readonly string[], act: BulkAct, onOutcome: (outcome: Outcome) => void): Promise<void> {
  if (act === 'delete') return deleteAll(ids, onOutcome);
  const waiting = [...ids];
  const work = async (): Promise<void> => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      const deviceId = id;
      onOutcome(
        await actOn(deviceId, act).then(
          () => ({ id: deviceId, kind: 'done' }) as const,
          (error: unknown) => outcomeOf(deviceId, error),
        ),
      );
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

async function deleteAll(ids: readonly string[], onOutcome: (outcome: Outcome) => void): Promise<void> {
  for (let from = 0; from < ids.length; from += DELETED_AT_ONCE) {
    const deviceIds = ids.slice(from, from + DELETED_AT_ONCE);
    try {
      const { successIds, failureIds } = await bodyOf(api.POST('/api/v1/devices/delete-many', { body: { deviceIds } }));
      for (const id of successIds) onOutcome({ id, kind: 'done' });
      const refusal = new ProblemError(403, {}, 'device.delete');
      for (const id of failureIds) onOutcome(outcomeOf(id, refusal));
    } catch (error) {
      for (const id of deviceIds) onOutcome(outcomeOf(id, error));
    }
  }
}
