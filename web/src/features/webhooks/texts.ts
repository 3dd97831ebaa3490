import en from '../../i18n/en/webhooks.json' with { type: 'json' };
import { textsOf } from '../../i18n/t.js';

export const t = textsOf('webhooks', en);
