import en from '../../../i18n/en/device-fields.json' with { type: 'json' };
import { textsOf } from '../../../i18n/t.js';

export const t = textsOf('device-fields', en);
