import { snakeCase } from '../../../platform/database/schema/naming-strategy.js';
import { FIELD_NAMES, fieldOf, type FieldName, type FieldType } from './device-fields.js';

const SQL_TYPES: Readonly<Record<FieldType, string>> = {
  guid: 'uuid',
  guids: 'uuid[]',
  text: 'text',
  texts: 'text[]',
  number: 'double precision',
  integer: 'integer',
  boolean: 'boolean',
  instant: 'timestamptz',
  architecture: 'smallint',
  platform: 'smallint',
  drives: 'jsonb',
};

/** The type that parameters and record sets give to the values of a field. */
export function sqlTypeOf(name: FieldName): string {
  return SQL_TYPES[fieldOf(name).type];
}

/** The column of a field that is a column of `devices`. */
export function columnOf(name: FieldName): string {
  return snakeCase(name);
}

/** The value of a field as an SQL expression on the alias of a `devices` row. */
export function fieldSql(name: FieldName, alias: string): string {
  return fieldOf(name).sql?.(alias) ?? `${alias}.${columnOf(name)}`;
}

/** The select list of some fields on the alias of a `devices` row; the rows read have the fields as members. */
export function fieldList(names: readonly FieldName[], alias: string): string {
  return names.map((name) => `${fieldSql(name, alias)} AS "${name}"`).join(', ');
}

/** The select list of all fields, which reads a `DeviceRow`. */
export function deviceColumns(alias: string): string {
  return fieldList(FIELD_NAMES, alias);
}
