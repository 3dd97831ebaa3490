import en from '../../i18n/en/device-columns.json' with { type: 'json' };
import { textsOf } from '../../i18n/t.js';
import { type BuiltInColumnId, isDefaultColumn } from './chosen-columns.js';
import { t } from './texts.js';

const later = textsOf('device-columns', en);

/** The name of a column that is no field, and of the id, which is searched and has no column. */
export const columnName = (id: BuiltInColumnId | 'id'): string => (isDefaultColumn(id) ? t(`column-${id}`) : later(`column-${id}`));
