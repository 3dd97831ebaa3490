import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { readRows } from '../../../platform/database/queries/read-rows.js';
import { ServerNode } from '../../../platform/node/server-node.js';

/** Expired rows that the end of a session removes with it. */
const REMOVED_AT_ONCE = 100;

const IS_KEPT = '(expires_at IS NULL OR expires_at > now())';
const FIND = `SELECT node_id AS "nodeId" FROM relay_places WHERE session = $1 AND ${IS_KEPT}`;
const CLAIM = `
  INSERT INTO relay_places AS p (session, node_id, is_requested) VALUES ($1, $2, FALSE)
  ON CONFLICT (session) DO UPDATE SET node_id = $2, is_requested = FALSE, expires_at = NULL WHERE p.expires_at <= now()`;
/** Reads the row as it was before the statement. */
const TAKE = `
  WITH former AS (SELECT node_id FROM relay_places WHERE session = $1 AND ${IS_KEPT}),
    taken AS (
      INSERT INTO relay_places AS p (session, node_id, is_requested) VALUES ($1, $2, TRUE)
      ON CONFLICT (session) DO UPDATE SET node_id = $2, is_requested = TRUE, expires_at = NULL
        WHERE p.expires_at <= now() OR (NOT p.is_requested AND p.expires_at IS NULL)
      RETURNING session)
  SELECT EXISTS (SELECT FROM taken) AS "isTaken", (SELECT node_id FROM former) AS "formerNodeId"`;
const GIVE_BACK = 'UPDATE relay_places SET node_id = $3, is_requested = FALSE WHERE session = $1 AND node_id = $2';
const FREE = 'DELETE FROM relay_places WHERE session = $1 AND node_id = $2 AND NOT is_requested';
const OVER = `
  UPDATE relay_places SET expires_at = now() + $3 * interval '1 millisecond' WHERE session = $1 AND node_id = $2 AND expires_at IS NULL`;
const REMOVE_EXPIRED = `
  DELETE FROM relay_places WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM relay_places WHERE expires_at <= now() LIMIT ${REMOVED_AT_ONCE} FOR UPDATE SKIP LOCKED))`;

/** The outcome of taking a session home. */
export interface TakenPlace {
  /** False when the id is taken, or not free yet. */
  readonly isTaken: boolean;
  /** The node that it was at home at; null when it was nowhere. */
  readonly formerNodeId: string | null;
}

/** The SQL of the homes of sessions of the relay. */
@Injectable()
export class RelayPlaceRepository {
  constructor(
    // Not the reserved connections: anybody can ask for the home of a session.
    private readonly dataSource: DataSource,
    private readonly node: ServerNode,
  ) {}

  /** The node that a session is at home at; null when it is at none. */
  async find(session: string): Promise<string | null> {
    const [row] = await readRows<{ readonly nodeId: string }>(this.dataSource.manager, FIND, [session]);
    return row?.nodeId ?? null;
  }

  /** Makes this node the home of a session that is nowhere at home. */
  async claim(session: string): Promise<void> {
    await this.dataSource.query(CLAIM, [session, this.node.id]);
  }

  /** Makes this node the home of a session that nobody has asked for. */
  async take(session: string): Promise<TakenPlace> {
    const [taken] = await readRows<TakenPlace>(this.dataSource.manager, TAKE, [session, this.node.id]);
    return taken ?? { isTaken: false, formerNodeId: null };
  }

  /** Undoes {@link take}. */
  async giveBack(session: string, formerNodeId: string): Promise<void> {
    await this.dataSource.query(GIVE_BACK, [session, this.node.id, formerNodeId]);
  }

  async free(session: string): Promise<void> {
    await this.dataSource.query(FREE, [session, this.node.id]);
  }

  /** Keeps the id closed for so many milliseconds, and removes some rows whose time is over. */
  async over(session: string, closedMs: number): Promise<void> {
    await this.dataSource.query(OVER, [session, this.node.id, closedMs]);
    await this.dataSource.query(REMOVE_EXPIRED);
  }
}
