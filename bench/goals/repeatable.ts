import type { Scene } from '../harness/scene.js';
import type { Round } from '../harness/side.js';
import type { AgentCalls } from '../loads/agents.js';
import type { RequestCalls } from '../loads/requests.js';
import { beatRound } from './heartbeats.js';
import { MEMORY_PATH, requestRound } from './requests.js';
import { roundTripsAt } from './round-trips.js';

const BEATING_DEVICES = 10_000;
/** More than in goal 2: services that differ by little are compared. */
const BEATS = 60;
const DEVICES = 1_000;

/** A goal that compares services with each other. */
export interface RepeatableGoal {
  readonly goal: number;
  readonly title: string;
  readonly devices: number;
  /** Prepares the load for the service of a scene. The returned function is one round. */
  readonly prepare: (scene: Scene) => Promise<() => Promise<Round>>;
}

/** Goals 2, 4 and 9: what the service does most. */
export const REPEATABLE_GOALS: readonly RepeatableGoal[] = [
  {
    goal: 2,
    title: 'signed heartbeats, stored',
    devices: BEATING_DEVICES,
    prepare: async (scene) => {
      const load = scene.program<AgentCalls>('loads/agents');
      const target = { url: scene.service.url, path: '/hubs/agent', tenantId: scene.fleet.tenantId };
      return () => beatRound(load, target, { devices: BEATING_DEVICES, beats: BEATS }, () => scene.service.cpuSeconds());
    },
  },
  {
    goal: 4,
    title: 'viewer to agent and back',
    devices: DEVICES,
    prepare: (scene) => roundTripsAt(scene, scene.service.url, () => scene.service.cpuSeconds()),
  },
  {
    goal: 9,
    title: 'authenticated GET served from memory',
    devices: DEVICES,
    prepare: async (scene) => {
      const { service, fleet } = scene;
      const load = scene.program<RequestCalls>('loads/requests');
      const request = { url: service.url + MEMORY_PATH, headers: { 'x-api-key': fleet.apiKey } };
      return () => requestRound(load, request, () => service.cpuSeconds());
    },
  },
];
