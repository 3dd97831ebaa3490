import en from '../i18n/en/shell-later.json' with { type: 'json' };
import { textsOf } from '../i18n/t.js';

/** Texts of the parts that come after the first page. */
export const t = textsOf('shell-later', en);
