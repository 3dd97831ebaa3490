import { Injectable, Logger } from '@nestjs/common';

import { plainAnswer, type Upgrade } from '#libs/signalr';

import { Turns } from '../../../platform/common/concurrency/turns.js';
import { messageOf } from '../../../platform/common/errors/errors.js';
import { ServerNode } from '../../../platform/node/server-node.js';
import type { Home, RelayHomes } from '../../relay/relay-homes.js';
import { ServiceLine } from '../service-line.js';
import { RelayPlaceRepository } from './relay-place.repository.js';
import { Splicing } from './splicing.js';

/** Deadline of asking a former home for its half, in milliseconds. */
const HAND_OVER_MS = 5_000;

const AWAY = plainAnswer(503, 'The node of this session cannot be reached.');
const UNREACHABLE = { ...AWAY, headers: { ...AWAY.headers, 'Retry-After': '2' } };

/** The homes of sessions, as rows of the database, and the ways to them. */
@Injectable()
export class RelayHomesAtNodes implements RelayHomes {
  private readonly logger = new Logger('Relay');
  /** Writes of one session follow on each other. */
  private readonly turns = new Turns();

  constructor(
    private readonly places: RelayPlaceRepository,
    private readonly splicing: Splicing,
    private readonly line: ServiceLine,
    private readonly node: ServerNode,
  ) {}

  async find(sessionId: string): Promise<Home | null> {
    return this.elsewhere(await this.places.find(sessionId));
  }

  async claim(sessionId: string): Promise<Home | null> {
    await this.turns.take(sessionId, () => this.places.claim(sessionId));
    return this.find(sessionId);
  }

  async take(sessionId: string): Promise<boolean> {
    const { isTaken, formerNodeId } = await this.turns.take(sessionId, () => this.places.take(sessionId));
    if (!isTaken || formerNodeId === null || formerNodeId === this.node.id) return isTaken;
    if (await this.isHandedOver(sessionId, formerNodeId)) return true;
    await this.turns.take(sessionId, () => this.places.giveBack(sessionId, formerNodeId));
    return false;
  }

  free(sessionId: string): void {
    this.write(sessionId, () => this.places.free(sessionId));
  }

  over(sessionId: string, closedMs: number): void {
    this.write(sessionId, () => this.places.over(sessionId, closedMs));
  }

  /** The way to a node, for a half that waits here and is at home there. */
  at(nodeId: string): Home {
    return { splice: (upgrade) => void this.splice(upgrade, nodeId) };
  }

  private elsewhere(nodeId: string | null): Home | null {
    return nodeId === null || nodeId === this.node.id ? null : this.at(nodeId);
  }

  /** Asks a former home for the half that waits there. False when the session has both its halves there. */
  private async isHandedOver(sessionId: string, formerNodeId: string): Promise<boolean> {
    try {
      return await this.line.calls.call(formerNodeId, 'HandOver', [sessionId, this.node.id], HAND_OVER_MS);
    } catch (error) {
      // What waits at a node that is not reached comes to nothing, and is asked for again.
      this.logger.warn({ message: 'The half of a session could not be taken over.', sessionId, reason: messageOf(error) });
      return true;
    }
  }

  private async splice(upgrade: Upgrade, nodeId: string): Promise<void> {
    try {
      // Bytes of a session are passed however old they are.
      if ((await this.splicing.splice(upgrade, nodeId, () => false)) === 'answered') return;
    } catch (error) {
      this.logger.error({ message: 'A half could not be passed on to the node of its session.', reason: messageOf(error) });
    }
    upgrade.refuse(UNREACHABLE);
  }

  private write(sessionId: string, work: () => Promise<void>): void {
    this.turns.take(sessionId, work).catch((error: unknown) => {
      this.logger.warn({ message: 'The home of a session could not be written.', sessionId, reason: messageOf(error) });
    });
  }
}
