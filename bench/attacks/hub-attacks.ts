import type { Scene } from '../harness/scene.js';
import type { HubAttackCalls } from '../loads/hub-attack.js';
import type { Attack } from './attack.js';

/** Connections that keep the hub busy may make others wait this much longer, typically. */
const MOST_P50 = 3;

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
