import en from '../../i18n/en/device-notes.json' with { type: 'json' };
import { textsOf } from '../../i18n/t.js';

export const t = textsOf('device-notes', en);
