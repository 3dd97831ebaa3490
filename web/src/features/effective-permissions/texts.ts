import en from '../../i18n/en/effective-permissions.json' with { type: 'json' };
import { textsOf } from '../../i18n/t.js';

export const t = textsOf('effective-permissions', en);
