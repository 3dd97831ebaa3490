import en from '../../i18n/en/service-accounts.json' with { type: 'json' };
import { textsOf } from '../../i18n/t.js';

export const t = textsOf('service-accounts', en);
