import en from '../../../i18n/en/uploads.json' with { type: 'json' };
import { textsOf } from '../../../i18n/t.js';

export const t = textsOf('uploads', en);
