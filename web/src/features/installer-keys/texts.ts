import en from '../../i18n/en/installer-keys.json' with { type: 'json' };
import { textsOf } from '../../i18n/t.js';

export const t = textsOf('installer-keys', en);
