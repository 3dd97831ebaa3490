import en from '../../i18n/en/key-approvals.json' with { type: 'json' };
import { textsOf } from '../../i18n/t.js';

export const t = textsOf('key-approvals', en);
