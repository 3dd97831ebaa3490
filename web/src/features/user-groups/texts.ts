import en from '../../i18n/en/user-groups.json' with { type: 'json' };
import { textsOf } from '../../i18n/t.js';

export const t = textsOf('user-groups', en);
