import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * Days for which a tenant keeps its logs; null for as long as the server does. No foreign key: it outlives the tenant, as its logs do, so
 * that deleting a tenant does not keep them for longer than it wanted.
 */
@Entity('log_retentions')
export class LogRetention {
  @PrimaryColumn('uuid') tenantId: string;
  @Column('integer', { nullable: true }) changeLogDays: number | null;
  @Column('integer', { nullable: true }) securityLogDays: number | null;
  @Column('integer', { nullable: true }) deviceActivityDays: number | null;
  @Column('integer', { nullable: true }) eventDays: number | null;
}
