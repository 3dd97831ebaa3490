import en from '../../i18n/en/events.json' with { type: 'json' };
import { textsOf } from '../../i18n/t.js';

export const t = textsOf('events', en);
