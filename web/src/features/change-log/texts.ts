import en from '../../i18n/en/change-log.json' with { type: 'json' };
import { textsOf } from '../../i18n/t.js';

export const t = textsOf('change-log', en);
