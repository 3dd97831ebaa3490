import en from '../../i18n/en/sign-in.json' with { type: 'json' };
import { textsOf } from '../../i18n/t.js';

export const t = textsOf('sign-in', en);
