import { Column, ForeignKey, PrimaryColumn, type ColumnOptions } from 'typeorm';
import { applyDecorators } from '@nestjs/common';

/** The key of a row: a GUID made by the server or named by the caller. */
export function IdColumn(): PropertyDecorator {
  return PrimaryColumn('uuid');
}

/** When the row was written, by the database's clock. */
export function CreatedAtColumn(): PropertyDecorator {
  return Column('timestamptz', { default: () => 'now()' });
}

/** The tenant that owns the row and whose deletion takes it along. */
export function TenantIdColumn(options: ColumnOptions = {}): PropertyDecorator {
  return ReferenceColumn('Tenant', { onDelete: 'CASCADE', ...options });
}

/** The id of another row, guarded by a foreign key. Entities are named, not imported, so that resources stay apart. */
export function ReferenceColumn(entity: string, options: ColumnOptions & { readonly onDelete: 'CASCADE' | 'SET NULL' }): PropertyDecorator {
  const { onDelete, ...column } = options;
  return applyDecorators(Column('uuid', column), ForeignKey(entity, { onDelete }));
}
