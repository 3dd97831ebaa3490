import en from '../../i18n/en/user-standing.json' with { type: 'json' };
import { textsOf } from '../../i18n/t.js';

/** Texts about who may sign in and who did. */
export const t = textsOf('user-standing', en);
