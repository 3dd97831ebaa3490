import { growFleet } from '../harness/database.js';
import type { Scene } from '../harness/scene.js';
import type { HubAttackCalls } from '../loads/hub-attack.js';
import type { BusyTerminalsCalls } from '../loads/busy-terminals.js';
import type { ViewerCalls } from '../loads/viewers.js';
import { REPORTING_DEVICES, SECONDS, type Attack } from './attack.js';

/** Connections that keep the hub busy may make others wait this much longer, typically. */
const MOST_P50 = 3;

const TERMINALS = 18;
/** A device beside those that report, on which all the terminals are. */
const DEVICE_OF_TERMINALS = REPORTING_DEVICES;
const OTHER_VIEWERS = 3;
const INPUTS_PER_SECOND = 60;

export const unfinishedMessages: Attack = {
  title: 'unfinished hub messages of 700 KiB on 200 anonymous connections',
  prepare: async (scene) => attacking(scene, 'sendUnfinished', 200),
};

export const unknownMethods: Attack = {
  title: 'an anonymous agent connection calling unknown methods, 50 under way',
  mostP50: MOST_P50,
  prepare: async (scene) => attacking(scene, 'callUnknownMethods', 1),
};

export const pings: Attack = {
  title: 'an anonymous agent connection sending pings as fast as they are taken',
  mostP50: MOST_P50,
  prepare: async (scene) => floodingWith(scene, 'pings'),
};

export const emptyFrames: Attack = {
  title: 'an anonymous agent connection sending empty frames as fast as they are taken',
  mostP50: MOST_P50,
  prepare: async (scene) => floodingWith(scene, 'empty frames'),
};

export const anonymousConnections: Attack = {
  title: '1,000 anonymous agent connections',
  prepare: async (scene) => attacking(scene, 'open', 1_000),
};

export const slowViewer: Attack = {
  title: `a viewer that stops reading ${TERMINALS} busy terminals`,
  prepare: async (scene) => {
    const { service, fleet } = scene;
    const { url, database } = service;
    await growFleet(database, fleet, DEVICE_OF_TERMINALS, DEVICE_OF_TERMINALS + 1);
    const load = scene.program<BusyTerminalsCalls>('loads/busy-terminals');
    await load.call('connectAgent', { url, tenantId: fleet.tenantId, device: DEVICE_OF_TERMINALS });
    return async () => {
      await load.call('openAndStall', { url, apiKey: fleet.apiKey, device: DEVICE_OF_TERMINALS, terminals: TERMINALS });
      return { stop: () => load.call('stop', undefined) };
    };
  },
  bystanders: {
    title: `input of ${OTHER_VIEWERS} other viewers of its device, ${INPUTS_PER_SECOND} times a second`,
    prepare: async (scene) => {
      const viewers = scene.program<ViewerCalls>('loads/viewers');
      const devices = Array.from({ length: OTHER_VIEWERS }, () => DEVICE_OF_TERMINALS);
      await viewers.call('connect', { url: scene.service.url, path: '/hubs/viewer', apiKey: scene.fleet.apiKey, devices });
      return () => viewers.call('askSteadily', { seconds: SECONDS, rate: INPUTS_PER_SECOND });
    },
  },
};

function floodingWith(scene: Scene, kind: 'empty frames' | 'pings'): ReturnType<Attack['prepare']> {
  const load = scene.program<HubAttackCalls>('loads/hub-attack');
  return Promise.resolve(async () => {
    await load.call('sendNothing', { url: scene.service.url, connections: 1, kind });
    return { stop: () => load.call('stop', undefined) };
  });
}

function attacking(
  scene: Scene,
  how: 'open' | 'callUnknownMethods' | 'sendUnfinished',
  connections: number,
): ReturnType<Attack['prepare']> {
  const load = scene.program<HubAttackCalls>('loads/hub-attack');
  return Promise.resolve(async () => {
    await load.call(how, { url: scene.service.url, connections });
    return { stop: () => load.call('stop', undefined) };
  });
}
