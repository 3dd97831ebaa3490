import en from '../i18n/en/ui.json' with { type: 'json' };
import { textsOf } from '../i18n/t.js';

/** The texts of the kit's own parts. */
export const t = textsOf('ui', en);
