import type { EntityManager } from 'typeorm';

import { invalid } from '../../platform/common/errors/errors.js';
import { newGuid } from '../../platform/common/identifiers/guid.js';
import { lockNamesUntilCommit, NamedAdvisoryLock } from '../../platform/database/locks/advisory-locks.js';

/** A text that an owner stores under a name. */
export interface NamedText {
  readonly id: string;
  readonly name: string;
  readonly value: string;
}

/** The change of one text. Null means that there was or is none. */
export interface NamedTextChange {
  readonly id: string;
  readonly name: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** The table that holds the texts. Its names come from the program, never from a caller. */
interface NamedTextsTable {
  readonly table: string;
  readonly ownerColumn: string;
  readonly nameColumn: string;
  /** Most names that an owner may use. */
  readonly maximum: number;
}

/** Texts by name, owned by tenants or principals. Writes of one owner are serialized, so that its number of names stays bounded. */
export class NamedTexts {
  private readonly select: string;

  constructor(private readonly place: NamedTextsTable) {
    const { table, ownerColumn, nameColumn } = place;
    this.select = `SELECT id, ${nameColumn} AS name, value FROM ${table} WHERE ${ownerColumn} = $1`;
  }

  /** Every text of an owner by its name. */
  async all(manager: EntityManager, ownerId: string): Promise<ReadonlyMap<string, string>> {
    const rows = await manager.query<NamedText[]>(this.select, [ownerId]);
    return new Map(rows.map(({ name, value }) => [name, value]));
  }

  /** One text, or null. */
  async one(manager: EntityManager, ownerId: string, name: string): Promise<NamedText | null> {
    const [row] = await manager.query<NamedText[]>(`${this.select} AND ${this.place.nameColumn} = $2`, [ownerId, name]);
    return row ?? null;
  }

  /** Keeps others from writing texts of an owner until the transaction of the manager ends. */
  async hold(manager: EntityManager, ownerId: string): Promise<void> {
    await lockNamesUntilCommit(manager, NamedAdvisoryLock.OwnerTexts, [`${this.place.table}:${ownerId}`]);
  }

  /**
   * Stores the texts and removes those that are null, within the transaction of the manager. Returns the changes; 400 when the owner would
   * have more names than the limit.
   */
  async write(manager: EntityManager, ownerId: string, texts: ReadonlyMap<string, string | null>): Promise<NamedTextChange[]> {
    const { table, ownerColumn, nameColumn } = this.place;
    await this.hold(manager, ownerId);
    const rows = await manager.query<NamedText[]>(`${this.select} AND ${nameColumn} = ANY($2)`, [ownerId, [...texts.keys()]]);
    const known = new Map(rows.map((row) => [row.name, row]));
    const changes: NamedTextChange[] = [];
    for (const [name, after] of texts) {
      const before = known.get(name);
      if ((before?.value ?? null) !== after) changes.push({ id: before?.id ?? newGuid(), name, before: before?.value ?? null, after });
    }
    const removed = changes.filter(({ after }) => after === null);
    const stored = changes.filter(({ after }) => after !== null);
    if (removed.length > 0) await manager.query(`DELETE FROM ${table} WHERE id = ANY($1)`, [removed.map(({ id }) => id)]);
    if (stored.length > 0) {
      await manager.query(
        `INSERT INTO ${table} (id, ${ownerColumn}, ${nameColumn}, value)
         SELECT new.id, $1, new.name, new.value FROM unnest($2::uuid[], $3::text[], $4::text[]) AS new (id, name, value)
         ON CONFLICT (${ownerColumn}, ${nameColumn}) DO UPDATE SET value = EXCLUDED.value`,
        [ownerId, stored.map(({ id }) => id), stored.map(({ name }) => name), stored.map(({ after }) => after)],
      );
    }
    if (stored.some(({ before }) => before === null)) await this.requireRoom(manager, ownerId);
    return changes;
  }

  private async requireRoom(manager: EntityManager, ownerId: string): Promise<void> {
    const { table, ownerColumn, maximum } = this.place;
    const [{ count }] = await manager.query<{ count: number }[]>(
      `SELECT count(*)::integer AS count FROM ${table} WHERE ${ownerColumn} = $1`,
      [ownerId],
    );
    if (count > maximum) throw invalid(`No more than ${maximum} names can be stored: delete some first.`);
  }
}
