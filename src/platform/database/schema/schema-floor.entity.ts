import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The releases that may run on the schema. There is one row. */
@Entity('schema_floor')
export class SchemaFloor {
  /** The oldest release that may. */
  @PrimaryColumn('varchar', { length: 40 }) release: string;
  /** The release that brought the schema up to date. */
  @Column('varchar', { length: 40 }) madeBy: string;
}
