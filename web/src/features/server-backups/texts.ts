import en from '../../i18n/en/server-backups.json' with { type: 'json' };
import { textsOf } from '../../i18n/t.js';

export const t = textsOf('server-backups', en);
