import en from '../../../i18n/en/device-access.json' with { type: 'json' };
import { textsOf } from '../../../i18n/t.js';

export const t = textsOf('device-access', en);
