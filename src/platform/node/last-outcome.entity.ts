import { Column, Entity, PrimaryColumn } from 'typeorm';

import type { OutcomeKind } from './last-outcomes.js';

/** The last outcome of one kind of work, at any node. */
@Entity('last_outcomes')
export class LastOutcome {
  @PrimaryColumn('varchar', { length: 20 }) kind: OutcomeKind;
  @Column('timestamptz') storedAt: Date;
  @Column('jsonb') outcome: object;
}
