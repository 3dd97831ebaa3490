import { deviceColumns } from '../../src/devices/devices/row/device-sql.js';
import type { HttpBaselineCalls } from '../baselines/http.js';
import { deviceIdOf } from '../harness/database.js';
import type { Finding, Goal } from '../harness/finding.js';
import type { Program } from '../harness/program.js';
import { inTurns } from '../harness/rounds.js';
import { Scene } from '../harness/scene.js';
import { countedRound, loadNotes, Side, type Round } from '../harness/side.js';
import { cpuSeconds } from '../harness/usage.js';
import type { RequestCalls } from '../loads/requests.js';

const DEVICES = 1_000;
const CONNECTIONS = 32;
const WARM_UP_SECONDS = 1;
const SECONDS = 1.5;
const ROUNDS = 5;

/** A path that is answered from memory. */
export const MEMORY_PATH = '/api/v1/user-server-settings/file-upload-max-size';
const ANONYMOUS_PATH = '/api/v1/public-server-settings';

interface HttpScene {
  readonly scene: Scene;
  /** Rounds of GET requests, alternating between a path of the baseline and one of the service. */
  readonly compare: (baselinePath: string, servicePath: string) => Promise<{ readonly bare: Side; readonly measured: Side }>;
  readonly round: (url: string, cpu: () => Promise<number>) => Promise<Round>;
}

/** The service and the plain application side by side. Both answer the same body from memory and the same row. */
function playHttp<T>(act: (http: HttpScene) => Promise<T>): Promise<T> {
  return Scene.play(DEVICES, async (scene) => {
    const { service, fleet } = scene;
    const headers = { 'x-api-key': fleet.apiKey };
    const answer = await fetch(`${service.url}${MEMORY_PATH}`, { headers });
    if (answer.status !== 200) throw new Error(`${MEMORY_PATH} was answered with ${answer.status}.`);
    const body = (await answer.json()) as object;

    const baseline = scene.program<HttpBaselineCalls>('baselines/http');
    const options = { database: service.database, apiKey: fleet.apiKey, body, columns: deviceColumns('d') };
    const baselineUrl = await baseline.call('start', options);
    const load = scene.program<RequestCalls>('loads/requests');

    const round = (url: string, cpu: () => Promise<number>): Promise<Round> => requestRound(load, { url, headers }, cpu);
    return act({
      scene,
      round,
      compare: async (baselinePath, servicePath) => {
        const rounds = await inTurns(ROUNDS, {
          bare: () => round(baselineUrl + baselinePath, () => cpuSeconds(baseline.pid)),
          measured: () => round(service.url + servicePath, () => service.cpuSeconds()),
        });
        return { bare: new Side(rounds.bare), measured: new Side(rounds.measured) };
      },
    });
  });
}

/** Sends GET requests over kept-alive connections for a while. */
export async function requestRound(
  load: Program<RequestCalls>,
  request: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
  cpu: () => Promise<number>,
): Promise<Round> {
  await load.call('run', { ...request, connections: CONNECTIONS, seconds: WARM_UP_SECONDS });
  return countedRound(cpu, () => load.call('run', { ...request, connections: CONNECTIONS, seconds: SECONDS }));
}

function rateFinding(goal: number, what: string, bare: Side, measured: Side): Finding {
  return {
    goal,
    what,
    baseline: bare.text,
    measured: measured.text,
    value: measured.rate / bare.rate,
    unit: '',
    better: 'higher',
    floor: 0.8,
    aim: 0.95,
    notes: loadNotes(bare, measured),
  };
}

/** Goal 9: an authenticated GET that is answered from memory, compared with plain Nest on Express. */
export const memoryRequests: Goal = {
  number: 9,
  title: 'authenticated GET served from memory',
  measure: () =>
    playHttp(async ({ compare }) => {
      const { bare, measured } = await compare('/memory', MEMORY_PATH);
      return [rateFinding(9, 'authenticated GET served from memory: rate', bare, measured)];
    }),
};

/** Goal 10: an authenticated GET of one row, compared with plain Nest on Express and the same query. */
export const rowRequests: Goal = {
  number: 10,
  title: 'authenticated GET of one row',
  measure: () =>
    playHttp(async ({ compare }) => {
      const id = deviceIdOf(1);
      const { bare, measured } = await compare(`/rows/${id}`, `/api/v1/devices/${id}`);
      return [rateFinding(10, 'authenticated GET of one row: rate', bare, measured)];
    }),
};

/** Goal 11: the processor time that the API key adds to a request. */
export const keyCost: Goal = {
  number: 11,
  title: 'cost of the API key over an anonymous GET',
  measure: () =>
    playHttp(async ({ scene: { service }, round }) => {
      const rounds = await inTurns(ROUNDS, {
        anonymous: () => round(service.url + ANONYMOUS_PATH, () => service.cpuSeconds()),
        authenticated: () => round(service.url + MEMORY_PATH, () => service.cpuSeconds()),
      });
      const [anonymous, authenticated] = [new Side(rounds.anonymous), new Side(rounds.authenticated)];
      return [
        {
          goal: 11,
          what: 'cost of the API key over an anonymous GET: processor time of the service',
          baseline: anonymous.text,
          measured: authenticated.text,
          value: authenticated.cpu - anonymous.cpu,
          unit: 'µs',
          better: 'lower',
          floor: 30,
          aim: 10,
          notes: loadNotes(anonymous, authenticated),
        },
      ];
    }),
};
