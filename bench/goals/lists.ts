import { setTimeout as delay } from 'node:timers/promises';

import { deviceColumns } from '../../src/devices/devices/row/device-sql.js';
import type { ListBaselineCalls } from '../baselines/list.js';
import { growFleet } from '../harness/database.js';
import type { Goal } from '../harness/finding.js';
import { inTurns, median } from '../harness/rounds.js';
import { Scene } from '../harness/scene.js';
import { whole } from '../harness/side.js';
import { forgetPeak, peakResidentBytes } from '../harness/usage.js';
import type { ListCalls, ListResult } from '../loads/listing.js';

const FEW = 10_000;
const MANY = 100_000;
const ROUNDS = 3;
/** Readings of the shorter list before its memory peak counts. A cold start would make the long list look better. */
const WARM_UPS = 4;
const SETTLE_MS = 500;
const MIB = 1_048_576;

/** Goal 12: the list of every device: throughput, time to the first byte, and memory that does not depend on the length. */
export const lists: Goal = {
  number: 12,
  title: 'list of 100,000 devices',
  measure: () =>
    Scene.play(FEW, async (scene) => {
      const { service, fleet } = scene;
      const baseline = scene.program<ListBaselineCalls>('baselines/list');
      const options = { database: service.database, columns: deviceColumns('d'), tenantId: fleet.tenantId };
      const baselineUrl = await baseline.call('start', options);
      const load = scene.program<ListCalls>('loads/listing');

      const read = async (url: string, devices: number): Promise<ListResult> => {
        const result = await load.call('read', { url, headers: { 'x-api-key': fleet.apiKey } });
        if (result.items !== devices) throw new Error(`${result.items} of ${devices} devices arrived.`);
        return result;
      };
      const serviceList = `${service.url}/api/v1/devices`;
      const peakOf = async (devices: number): Promise<number> => {
        service.collectGarbage();
        await delay(SETTLE_MS);
        await forgetPeak(service.pid);
        await read(serviceList, devices);
        return (await peakResidentBytes(service.pid)) / MIB;
      };

      for (let reading = 0; reading < WARM_UPS; reading += 1) await read(serviceList, FEW);
      const peakOfFew = await peakOf(FEW);
      await growFleet(service.database, fleet, FEW, MANY);
      const peakOfMany = await peakOf(MANY);
      const rounds = await inTurns(ROUNDS, { bare: () => read(baselineUrl, MANY), measured: () => read(serviceList, MANY) });

      const rate = (results: readonly ListResult[]): number => median(results.map(({ items, seconds }) => items / seconds));
      const firstByte = median(rounds.measured.map(({ firstByteMs }) => firstByteMs));
      const common = { goal: 12, notes: [] };
      return [
        {
          ...common,
          what: `list of ${whole(MANY)} devices: rate`,
          baseline: `${whole(rate(rounds.bare))} devices/s`,
          measured: `${whole(rate(rounds.measured))} devices/s`,
          value: rate(rounds.measured) / rate(rounds.bare),
          unit: '',
          better: 'higher',
          floor: 0.3,
          aim: 0.6,
        },
        {
          ...common,
          what: `list of ${whole(MANY)} devices: first byte`,
          baseline: `${median(rounds.bare.map(({ firstByteMs }) => firstByteMs)).toFixed(1)} ms`,
          measured: `${firstByte.toFixed(1)} ms`,
          value: firstByte,
          unit: 'ms',
          better: 'lower',
          floor: 50,
          aim: 20,
        },
        {
          ...common,
          what: `list of ${whole(MANY)} devices: peak of resident memory against ${whole(FEW)}`,
          baseline: `${peakOfFew.toFixed(0)} MiB`,
          measured: `${peakOfMany.toFixed(0)} MiB`,
          value: peakOfMany / peakOfFew,
          unit: '',
          better: 'lower',
          floor: 1.2,
          aim: 1.05,
        },
      ];
    }),
};
