import { beatRound } from '../goals/heartbeats.js';
import { MEMORY_PATH, requestRound } from '../goals/requests.js';
import { roundTripsAt } from '../goals/round-trips.js';
import type { AgentCalls } from '../loads/agents.js';
import type { RequestCalls } from '../loads/requests.js';
import { idle } from './idle.js';
import { notes } from './notes.js';
import { telemetryBench, type TelemetryBench } from './telemetry-bench.js';

const BEATING_DEVICES = 10_000;
const DEVICES = 1_000;

/** The goals that telemetry may slow down by 2 % at most, and what it costs an idle service. */
export const TELEMETRY_BENCHES: readonly TelemetryBench[] = [
  telemetryBench({
    goal: 2,
    title: 'signed heartbeats, stored',
    devices: BEATING_DEVICES,
    prepare: async (scene) => {
      const load = scene.program<AgentCalls>('loads/agents');
      const target = { url: scene.service.url, path: '/hubs/agent', tenantId: scene.fleet.tenantId };
      return () => beatRound(load, target, BEATING_DEVICES, () => scene.service.cpuSeconds());
    },
  }),
  telemetryBench({
    goal: 4,
    title: 'viewer to agent and back',
    devices: DEVICES,
    prepare: (scene) => roundTripsAt(scene, scene.service.url, () => scene.service.cpuSeconds()),
  }),
  telemetryBench({
    goal: 9,
    title: 'authenticated GET served from memory',
    devices: DEVICES,
    prepare: async (scene) => {
      const { service, fleet } = scene;
      const load = scene.program<RequestCalls>('loads/requests');
      const request = { url: service.url + MEMORY_PATH, headers: { 'x-api-key': fleet.apiKey } };
      return () => requestRound(load, request, () => service.cpuSeconds());
    },
  }),
  notes,
  idle,
];
