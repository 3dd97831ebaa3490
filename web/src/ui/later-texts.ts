import en from '../i18n/en/ui-later.json' with { type: 'json' };
import { textsOf } from '../i18n/t.js';

/** The texts of the kit's parts that come after the first load. */
export const t = textsOf('ui-later', en);
