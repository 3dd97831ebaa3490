import { api } from '../../api/client.js';
import type { KeyApproval } from '../../api/key-approvals.js';
import { ifMatch, versionOf } from '../../api/versioned.js';
import { isOutdated, ProblemError } from '../../problem/problem.js';
import { t } from './texts.js';

const pathOf = ({ deviceId }: KeyApproval) => ({ path: { deviceId } });

/** Puts the key in force. */
export async function approve(key: KeyApproval): Promise<void> {
  await api.POST('/api/v1/devices/{deviceId}/key-approval', { params: pathOf(key), body: { fingerprint: key.fingerprint ?? '' } });
}

/** Puts the former key back in force. The request names no key, so that the key is compared first, and must be the same when it is refused. */
export async function refuse(key: KeyApproval): Promise<void> {
  const params = pathOf(key);
  const now = await versionOf(api.GET('/api/v1/devices/{deviceId}/key-approval', { params }));
  if (now.value.fingerprint !== key.fingerprint) throw otherKey();
  try {
    await api.DELETE('/api/v1/devices/{deviceId}/key-approval', { params, headers: ifMatch(now.tag) });
  } catch (error) {
    throw isOutdated(error) ? otherKey() : error;
  }
}

const otherKey = (): ProblemError => new ProblemError(412, { detail: t('other-key') });
