import en from '../../i18n/en/changed.json' with { type: 'json' };
import { textsOf } from '../../i18n/t.js';

/** Texts for two people who edit the same thing. */
export const t = textsOf('changed', en);
