import { setTimeout as delay } from 'node:timers/promises';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import type { Stoppable } from '../../support/application/app.js';
import { Load } from '../load/load.js';
import { processNodes } from '../load/process-nodes.js';
import { noNats, type NatsServer } from '../support/nats-server.js';
import { NatsCluster } from './nats-cluster.js';
import { isLong, printFigures, ROUNDS } from '../../support/rounds.js';

/*
 * A node or a server of NATS is killed, stands still or is told to stop while all nodes have much to do. Nothing that was acknowledged is
 * lost, no input comes late, and nothing comes twice. Afterwards everything goes on by itself. A run of all tests makes those faults that
 * no other spec makes.
 */

/** Longer than nodes and NATS wait for one that stands still. The fault itself: nothing tells that it has lasted long enough. */
const STANDSTILL_MS = 8_000;
/** Longer than the time after which others take a node for gone. */
const GONE_MS = 45_000;
/** Acknowledged pieces of each work before and after a fault. */
const PIECES = 3;

describe.skipIf(noNats !== undefined)('several nodes under load', { timeout: ROUNDS * 180_000 }, () => {
  let cluster: NatsCluster;
  const nodes = processNodes(3, async () => {
    cluster = await NatsCluster.start();
    return { nats: cluster.urls };
  });
  const stopping: Stoppable[] = [];

  afterEach(async () => {
    for (const each of stopping.splice(0)) await each.stop();
  });

  afterAll(() => cluster.end());

  /** Makes a fault as often as this run is for, and checks that nothing is lost, late or there twice. */
  async function underLoad(fault: (round: number, load: Load) => Promise<void>, rounds = ROUNDS): Promise<void> {
    await nodes.untilReady();
    const load = await Load.begin(nodes);
    stopping.push(load);
    for (let round = 0; round < rounds; round += 1) {
      await load.progress(PIECES);
      await fault(round, load);
      await nodes.untilReady();
      await load.progress(PIECES);
    }
    const faults = await load.end();
    printFigures(`Acknowledged while a fault was made ${rounds} times`, load.acknowledged);
    expect(faults).toEqual([]);
  }

  describe('of which one', () => {
    it('is killed', async () => {
      await underLoad(async (round, load) => {
        await nodes.node(round).program.kill();
        await load.progress(PIECES);
        await nodes.startAgain(round);
      });
    });

    it('stands still', async () => {
      await underLoad(async (round) => {
        await nodes.freeze(round);
        await delay(STANDSTILL_MS);
        nodes.thaw(round);
      });
    });

    it.skipIf(!isLong)('stands still until it counts as gone, and ends when it goes on', async () => {
      await underLoad(async (round) => {
        await nodes.freeze(round);
        await delay(GONE_MS);
        nodes.thaw(round);
        expect((await nodes.node(round).program.untilEnd()).code).toBe(1);
        await nodes.startAgain(round);
      }, 3);
    });

    it.skipIf(!isLong)('is told to stop', async () => {
      await underLoad(async (round, load) => {
        expect(await nodes.node(round).program.stop()).toEqual({ code: 0, signal: null });
        await load.progress(PIECES);
        await nodes.startAgain(round);
      });
    });
  });

  describe.each([
    ['the only server of NATS', 1],
    ['a server of NATS of three', 3],
  ])('while %s', (_name, count) => {
    beforeAll(async () => {
      for (const [number, server] of cluster.servers.entries()) await (number < count ? server.startAgain() : server.kill());
      await nodes.untilReady();
    });

    const server = (round: number): NatsServer => cluster.server(round % count);

    it('is killed', async () => {
      await underLoad(async (round) => {
        await server(round).kill();
        await server(round).startAgain();
      });
    });

    it.skipIf(!isLong)('stands still', async () => {
      await underLoad(async (round) => {
        await server(round).freeze();
        await delay(STANDSTILL_MS);
        server(round).thaw();
      });
    });

    it.skipIf(!isLong)('is told to stop', async () => {
      await underLoad(async (round) => {
        await server(round).stop();
        await server(round).startAgain();
      });
    });
  });
});
