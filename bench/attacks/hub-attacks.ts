import type { Scene } from '../harness/scene.js';
import type { HubAttackCalls } from '../loads/hub-attack.js';
import type { Attack } from './attack.js';

export const unfinishedMessages: Attack = {
  title: 'unfinished hub messages of 700 KiB on 200 anonymous connections',
  prepare: async (scene) => attacking(scene, 'sendUnfinished', 200),
};

export const unknownMethods: Attack = {
  title: 'an anonymous agent connection calling unknown methods, 50 under way',
  prepare: async (scene) => attacking(scene, 'callUnknownMethods', 1),
};

export const anonymousConnections: Attack = {
  title: '1,000 anonymous agent connections',
  prepare: async (scene) => attacking(scene, 'open', 1_000),
};

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
