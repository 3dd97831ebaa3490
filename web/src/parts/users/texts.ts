import en from '../../i18n/en/users.json' with { type: 'json' };
import { textsOf } from '../../i18n/t.js';

export const t = textsOf('users', en);
