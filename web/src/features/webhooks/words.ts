import type { Delivery, Webhook } from '../../api/system/webhooks.js';
import { formatNumber } from '../../i18n/format.js';
import { eventKindName } from '../../parts/events/kinds.js';
import { t } from './texts.js';

/** Most webhooks of a tenant, as the service has it. */
export const MAXIMUM_WEBHOOKS = 20;

/** Name of a webhook: the host that it sends to. */
export const nameOf = ({ url }: Pick<Webhook, 'url'>): string => (URL.canParse(url) ? new URL(url).host : url);

/** The kinds of events that are sent, in words; with `most`, only so many by name. */
export function kindsOf(kinds: readonly string[], most = kinds.length): string {
  if (kinds.length === 0) return t('all-kinds');
  const names = kinds.map(eventKindName);
  const first = names.slice(0, most).join(', ');
  return names.length <= most ? first : t('kinds-more', { first, count: formatNumber(names.length - most) });
}

/** Name of the event of a delivery. */
export const kindOf = ({ kind }: Pick<Delivery, 'kind'>): string => (kind === 'test' ? t('test-kind') : eventKindName(kind));

/** True for a pause that the service began. */
export const isFault = ({ pause }: Pick<Webhook, 'pause'>): boolean => pause === 'Failing' || pause === 'Gone';
