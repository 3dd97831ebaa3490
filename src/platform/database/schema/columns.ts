import { Column, ForeignKey, PrimaryColumn, type ColumnOptions } from 'typeorm';
import { applyDecorators } from '@nestjs/common';

/** The key of a row: a GUID that the server generates or the caller chooses. */
export function IdColumn(): PropertyDecorator {
  return PrimaryColumn('uuid');
}

/** Column with the time at which the row was inserted, by the clock of the database. */
export function CreatedAtColumn(): PropertyDecorator {
  return Column('timestamptz', { default: () => 'now()' });
}

/** The tenant that owns the row. Deleting the tenant deletes the row. */
export function TenantIdColumn(options: ColumnOptions = {}): PropertyDecorator {
  return ReferenceColumn('Tenant', { onDelete: 'CASCADE', ...options });
}

/** The id of another row, with a foreign key. The entity is named, not imported, so that resources stay independent. */
export function ReferenceColumn(entity: string, options: ColumnOptions & { readonly onDelete: 'CASCADE' | 'SET NULL' }): PropertyDecorator {
  const { onDelete, ...column } = options;
  return applyDecorators(Column('uuid', column), ForeignKey(entity, { onDelete }));
}
