import en from '../../../../i18n/en/file-editor.json' with { type: 'json' };
import { textsOf } from '../../../../i18n/t.js';

export const t = textsOf('file-editor', en);
