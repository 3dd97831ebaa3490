import { diagnosticsOf, type Diagnostics } from '../../libs/signalr/src/runtime/diagnostics.js';
import { ReportMetrics } from '../../src/devices/devices/updates/report-metrics.js';
import { startTelemetry } from '../../src/system/telemetry/telemetry.js';
import { serveCalls } from '../harness/serve-calls.js';

/*
 * Hub calls without hub, sockets, device and database: a viewer's call that asks a device, the report of a device, and what telemetry notes
 * of them.
 */

const CONNECTION = { transport: 'WebSockets', facts: {} } as const;
const MESSAGE = {};
/** Bytes of a signed report, and the answer to it. */
const REPORT_BYTES = 700;
const REPORT_ANSWER = '{"type":3,"invocationId":"12","result":{"isSuccess":true,"reason":null,"errorCode":null}}\u001e';

interface Hubs {
  readonly viewers: Diagnostics;
  readonly agents: Diagnostics;
  readonly reports: ReportMetrics;
}

let hubs: Hubs | undefined;

const calls = {
  async start(): Promise<void> {
    await startTelemetry({ prometheus: true, metrics: false, traces: false }, {});
    const [viewers, agents] = [diagnosticsOf('/hubs/viewer'), diagnosticsOf('/hubs/agent')];
    if (viewers === undefined || agents === undefined) throw new Error('Nothing notes the calls.');
    hubs = { viewers, agents, reports: new ReportMetrics() };
  },

  /** Processor time of a call of which nothing is noted, in microseconds. */
  bare(count: number): Promise<number> {
    return timePerCall(count, () => askAnd(answer));
  },

  /** Processor time of a call and what is noted of it, in microseconds. */
  noted(count: number): Promise<number> {
    if (hubs === undefined) throw new Error('Not started.');
    const { viewers, agents } = hubs;
    const ask = (): Promise<number> => agents.ask('ReceiveTerminalInput', answer);
    return timePerCall(count, () => viewers.serve(CONNECTION, MESSAGE, 'SendTerminalInput2', () => askAnd(ask)));
  },

  /** Processor time of a report of which nothing is noted, in microseconds. */
  bareReport(count: number): Promise<number> {
    return timePerCall(count, () => askAnd(answer));
  },

  /** Processor time of a report and what is noted of it, in microseconds. Batches are left out: each has many reports. */
  notedReport(count: number): Promise<number> {
    if (hubs === undefined) throw new Error('Not started.');
    const { agents, reports } = hubs;
    const write = async (): Promise<undefined> => {
      const begun = performance.now();
      await answer();
      reports.answered('accepted', (performance.now() - begun) / 1_000);
      agents.sent(REPORT_ANSWER);
    };
    return timePerCall(count, () => {
      agents.received(REPORT_BYTES);
      return agents.serve(CONNECTION, MESSAGE, 'UpdateDeviceSigned', write);
    });
  },
};

export type NotedCalls = typeof calls;
serveCalls(calls);

function answer(): Promise<number> {
  return Promise.resolve(1);
}

async function askAnd(ask: () => Promise<number>): Promise<undefined> {
  await ask();
}

async function timePerCall(count: number, call: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  for (let done = 0; done < count; done += 1) await call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}
