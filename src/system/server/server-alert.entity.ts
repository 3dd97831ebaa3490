import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** The id of the only alert row. */
export const SERVER_ALERT_ID = '00000000-0000-0000-0000-000000000001';

export enum MessageSeverity {
  Information = 'Information',
  Warning = 'Warning',
  Error = 'Error',
  Success = 'Success',
}

@Entity('server_alerts')
@Check('ck_server_alerts_singleton', `"id" = '${SERVER_ALERT_ID}'`)
export class ServerAlert {
  @PrimaryColumn('uuid') id: string;
  @Column('varchar', { length: 500, default: '' }) message: string;
  @Column('varchar', { length: 20, default: MessageSeverity.Information }) severity: MessageSeverity;
  @Column('boolean', { default: true }) isDismissable: boolean;
  @Column('boolean', { default: false }) isSticky: boolean;
  @Column('boolean', { default: false }) isEnabled: boolean;
}
