import en from '../i18n/en/shell-later.json' with { type: 'json' };
import { textsOf } from '../i18n/t.js';

/** Texts of what comes after the first page. */
export const t = textsOf('shell-later', en);
