import type { TenantEvent } from '../../api/system/events.js';
import { permissionName } from '../../i18n/permission-names.js';
import { t } from './texts.js';

const SESSIONS = ['RemoteControl', 'Terminal', 'Vnc'] as const;
const OUTCOMES = ['Completed', 'Failed', 'Interrupted'] as const;
const KEY_STATES = ['approved', 'refused', 'replaced', 'waiting'] as const;

const oneOf = <T extends string>(value: string | null | undefined, known: readonly T[]): T | undefined =>
  known.find((each) => each === value);

/** An event as a sentence. */
export function sentenceOf(event: TenantEvent): string {
  const { data } = event;
  const actor = event.actor?.name ?? t('server');
  const name = data.name ?? t('unnamed');
  switch (event.kind) {
    case 'device.registered':
      return t(data.isNew === true ? 'sentence-registered' : 'sentence-registered-again', { name });
    case 'device.online':
      return t('sentence-online', { name });
    case 'device.offline':
      return t('sentence-offline', { name });
    case 'device.key-changed':
      return t(`sentence-key-${oneOf(data.state, KEY_STATES) ?? 'replaced'}`, { actor, name });
    case 'session.begun':
      return t(`sentence-session-begun-${oneOf(data.session, SESSIONS) ?? 'RemoteControl'}`, { actor, name });
    case 'session.ended':
      return t(`sentence-session-ended-${oneOf(data.session, SESSIONS) ?? 'RemoteControl'}`, { actor, name });
    case 'installer-key.used':
      return t('sentence-key-used', { name });
    case 'permission.changed':
      return permissionSentence(data, actor);
    case 'user.signed-in':
      return t('sentence-signed-in', { actor });
  }
}

/** Further facts of an event in a few words. */
export function detailOf({ kind, data }: TenantEvent): string {
  if (kind === 'session.ended') {
    const outcome = oneOf(data.outcome, OUTCOMES);
    return outcome === undefined ? '' : t(`outcome-${outcome}`);
  }
  if (kind === 'permission.changed') return data.changes?.map(({ permission }) => permissionName(permission)).join(', ') ?? '';
  if (kind !== 'user.signed-in') return '';
  const isNew = data.isNewBrowser === true ? (data.isNewNetwork === true ? 'both' : 'browser') : 'network';
  return [t(`detail-new-${isNew}`), data.client, data.address].filter(Boolean).join(' · ');
}

function permissionSentence({ principalName, presets, count }: TenantEvent['data'], actor: string): string {
  const principal = principalName ?? t('unnamed-principal');
  if (presets !== null && presets !== undefined) return t('sentence-presets', { principal, presets: presets.join(', ') });
  return t('sentence-permissions-changed', { actor, principal, count: count ?? 0 });
}
