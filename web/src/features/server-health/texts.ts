import en from '../../i18n/en/server-health.json' with { type: 'json' };
import { textsOf } from '../../i18n/t.js';

export const t = textsOf('server-health', en);
