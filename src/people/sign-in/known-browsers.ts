import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

import type { Visitor } from '../../access/authentication/visitors/visitors.js';
import { hashSecret } from '../../platform/common/identifiers/secret.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import { addressBlock } from '../../platform/http/addresses/address-block.js';

const DAY_MS = 86_400_000;
/** Time for which a place is known after the last sign-in there. */
const PLACE_MEMORY_MS = 90 * DAY_MS;
/** Most browsers of a user that are known, the last used ones. */
const MAXIMUM_OF_USER = 50;

const LOOK_UP = `
  SELECT ARRAY(SELECT user_id FROM known_browsers WHERE browser_hash = $1) AS "userIds",
         EXISTS (SELECT 1 FROM known_browsers WHERE address_block = $2 AND last_sign_in_at > $3) AS "isPlaceKnown"`;

const FIND_OWN = `
  SELECT NOT EXISTS (SELECT 1 FROM known_browsers WHERE user_id = $1 AND browser_hash = $2) AS "isNewBrowser",
         NOT EXISTS (SELECT 1 FROM known_browsers WHERE user_id = $1 AND address_block = $3 AND last_sign_in_at > $4) AS "isNewNetwork"`;

const REMEMBER = `
  INSERT INTO known_browsers (user_id, browser_hash, address_block, last_sign_in_at) VALUES ($1, $2, $3, $4)
  ON CONFLICT (user_id, browser_hash) DO UPDATE SET address_block = $3, last_sign_in_at = $4`;

const FORGET_OLDEST = `
  DELETE FROM known_browsers WHERE user_id = $1 AND browser_hash IN (
    SELECT browser_hash FROM known_browsers WHERE user_id = $1 ORDER BY last_sign_in_at DESC OFFSET $2)`;

/** Knowledge about a visitor's browser and place, independent of the name that the visitor gives. */
export interface Familiarity {
  /** The users who have signed in with this browser. */
  readonly userIds: ReadonlySet<string>;
  /** True if a user has signed in with this browser, or recently from this address. */
  readonly isKnown: boolean;
}

/** Facts of a sign-in that are new to the account. */
export interface Novelty {
  readonly isNewBrowser: boolean;
  readonly isNewNetwork: boolean;
}

/** Remembers the browsers and places of people's sign-ins. */
@Injectable()
export class KnownBrowsers {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Returns the knowledge about a visitor. */
  async familiarityOf({ browser, remoteAddress }: Visitor): Promise<Familiarity> {
    const hash = hashSecret(browser ?? '');
    const since = this.memoryBegins();
    const [row] = await this.dataSource.query<{ userIds: string[]; isPlaceKnown: boolean }[]>(LOOK_UP, [
      hash,
      addressBlock(remoteAddress),
      since,
    ]);
    return { userIds: new Set(row.userIds), isKnown: row.isPlaceKnown || row.userIds.length > 0 };
  }

  /** Time since when places are known. */
  memoryBegins(): Date {
    return new Date(this.clock.milliseconds() - PLACE_MEMORY_MS);
  }

  /** Notes in a transaction that a user has signed in with a browser. Returns what was new to the account. */
  async remember(manager: EntityManager, userId: string, browser: string, remoteAddress: string): Promise<Novelty> {
    const novelty = await this.noveltyOf(manager, userId, browser, remoteAddress);
    await manager.query(REMEMBER, [userId, hashSecret(browser), addressBlock(remoteAddress), this.clock.now()]);
    await manager.query(FORGET_OLDEST, [userId, MAXIMUM_OF_USER]);
    return novelty;
  }

  /** Checks that neither a known browser of the user nor one of the earlier addresses is in the network of an address. */
  async isNewNetwork(manager: EntityManager, userId: string, remoteAddress: string, earlier: readonly string[]): Promise<boolean> {
    const block = addressBlock(remoteAddress);
    if (earlier.some((address) => addressBlock(address) === block)) return false;
    return (await this.noveltyOf(manager, userId, '', remoteAddress)).isNewNetwork;
  }

  private async noveltyOf(manager: EntityManager, userId: string, browser: string, remoteAddress: string): Promise<Novelty> {
    const parameters = [userId, hashSecret(browser), addressBlock(remoteAddress), this.memoryBegins()];
    const [novelty] = await manager.query<Novelty[]>(FIND_OWN, parameters);
    return novelty;
  }
}
