import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

import { ReferenceColumn } from '../../platform/database/schema/columns.js';

/** The customer that new devices get when they register with an installer key. Keys without a customer have no row. */
@Entity('installer_key_customers')
@Index(['customerId'])
export class InstallerKeyCustomer {
  @PrimaryColumn('uuid') @ForeignKey('InstallerKey', { onDelete: 'CASCADE' }) installerKeyId: string;
  @ReferenceColumn('Customer', { onDelete: 'CASCADE' }) customerId: string;
}
