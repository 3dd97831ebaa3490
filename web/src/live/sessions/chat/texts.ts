import en from '../../../i18n/en/chat.json' with { type: 'json' };
import { textsOf } from '../../../i18n/t.js';

export const t = textsOf('chat', en);
