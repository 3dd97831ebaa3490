import en from '../../../i18n/en/remote-desktop.json' with { type: 'json' };
import { textsOf } from '../../../i18n/t.js';

export const t = textsOf('remote-desktop', en);
