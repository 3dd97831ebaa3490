import { Entity } from 'typeorm';

import { CreatedAtColumn, IdColumn } from '../../platform/database/schema/columns.js';

/** The id of a device that was deleted in any way; a trigger writes it. Registering the id with an installer key removes it. */
@Entity('deleted_devices')
export class DeletedDeviceRow {
  @IdColumn() id: string;
  @CreatedAtColumn() deletedAt: Date;
}
