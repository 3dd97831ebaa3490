import en from '../../i18n/en/devices-later.json' with { type: 'json' };
import { textsOf } from '../../i18n/t.js';

/** Texts of the parts that come after the first rows. */
export const t = textsOf('devices-later', en);
