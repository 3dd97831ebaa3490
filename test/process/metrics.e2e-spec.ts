import { createServer } from 'node:http';
import { createServer as createSocketServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Service } from '../../demo/service.js';
import { describedMetrics } from '../contract/described-metrics.js';
import { enrol, ReportingDevice } from '../support/devices/reporting-device.js';
import { eventually } from '../support/eventually.js';
import { Machine, portToKeep } from '../support/processes/service-process.js';

/** Values of labels that would grow with devices, users or callers: ids, addresses, paths with ids. */
const UNBOUNDED = /[0-9a-f]{8}-[0-9a-f]{4}|\d+\.\d+\.\d+\.\d+|@|::/;
const SAMPLE = /^(?<name>[a-z_]+?)(?:_bucket|_sum|_count)?(?:\{(?<labels>.*)\})? [-+0-9.e]+$/;

/** A module that makes a program name, when it is told to stop, the packages of OpenTelemetry beside the API that it has loaded. */
const TELLS_PACKAGES = `data:text/javascript,${encodeURIComponent(`
  import { createRequire } from 'node:module';
  const { cache } = createRequire(process.cwd() + '/');
  process.once('SIGTERM', () => {
    const packages = Object.keys(cache).map((path) => /node_modules.@opentelemetry.([^/]+)/.exec(path)?.[1]);
    process.stdout.write('Packages: ' + [...new Set(packages)].filter((name) => name && name !== 'api').join(' ') + '.\\n');
  });
`)}`;

interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

describe('a service with a port for metrics', () => {
  let machine: Machine;
  let service: Service;
  let port: number;
  let collector: Collector;

  beforeAll(async () => {
    machine = await Machine.afterFirstStart();
    port = await portToKeep();
    collector = await Collector.open();
    service = await machine.start({
      Service_Metrics__Port: String(port),
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_METRIC_EXPORT_INTERVAL: '500',
      OTEL_TRACES_EXPORTER: 'none',
      Service_Forwarding__File: join(machine.folder, 'lines.jsonl'),
    });
  });

  afterAll(async () => {
    await machine.close();
    await collector.close();
  });

  const ask = (path: string, init: RequestInit = {}): Promise<Response> => fetch(`http://127.0.0.1:${port}${path}`, init);

  async function scrape(): Promise<string> {
    const answer = await ask('/metrics');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    return answer.text();
  }

  /** The value of a sample, by its name with labels; 0 for none. */
  async function valueOf(sample: string): Promise<number> {
    const line = (await scrape()).split('\n').find((text) => text.startsWith(`${sample} `));
    return Number(line?.slice(sample.length) ?? 0);
  }

  /** Scrapes, and expects that each sample is described with its labels, whose values are bounded. Returns their number. */
  async function describedSamples(): Promise<number> {
    const described = new Map((await describedMetrics()).map(({ name, labels }) => [name, labels]));
    const samples = samplesOf(await scrape());
    for (const { name, labels } of samples) {
      expect([name, described.has(name)]).toEqual([name, true]);
      const undescribed = Object.keys(labels).filter((label) => label !== 'le' && described.get(name)?.includes(label) !== true);
      expect([name, undescribed]).toEqual([name, []]);
      expect([name, Object.values(labels).filter((value) => UNBOUNDED.test(value))]).toEqual([name, []]);
    }
    return samples.length;
  }

  it('counts what devices, users and callers do, under the names that docs/operations.md gives', async () => {
    const client = machine.client(service);
    const device = await ReportingDevice.register(service.url, await enrol(client));
    await device.connect(service.url);
    await device.reportAs('front-desk-2');
    expect((await client.get('/api/v1/devices/not-an-id')).status).toBeGreaterThanOrEqual(400);
    await fetch(`${service.url}/api/v1/nothing/${crypto.randomUUID()}`);
    await fetch(`${service.url}/account/login`, { method: 'PROPFIND' });

    expect(await valueOf('devices_connected{state="online"}')).toBe(1);
    expect(await valueOf('device_report_delay_seconds_count{outcome="accepted"}')).toBeGreaterThan(0);
    expect(await valueOf('device_report_batch_size_count')).toBeGreaterThan(0);
    expect(await valueOf('http_server_request_duration_seconds_count{route="/api/v1/tenants",method="POST",status="2xx"}')).toBe(1);
    expect(await valueOf('http_server_request_duration_seconds_count{route="/api/v1/devices/:deviceId",method="GET",status="4xx"}')).toBe(
      1,
    );
    // A collection goes on without what the database does not tell in time.
    await eventually('the size of the database is read', async () => (await valueOf('db_size_bytes')) > 1_000_000);
    expect(await valueOf('db_connections{pool="requests",state="idle"}')).toBeGreaterThan(0);
    expect(await valueOf('cache_lookups_total{cache="credentials",result="hit"}')).toBeGreaterThan(0);
    expect(await valueOf('process_memory_resident_bytes')).toBeGreaterThan(50_000_000);
    const forwarded = '{destination="File",log="ChangeLog"}';
    await eventually('rows are forwarded', async () => (await valueOf(`forwarding_sent_total${forwarded}`)) > 0);
    for (const figure of ['waiting', 'lag_seconds', 'lost_total']) {
      await eventually(`forwarding_${figure} is read`, async () => (await scrape()).includes(`forwarding_${figure}${forwarded} `));
    }
    expect(await valueOf(`forwarding_lost_total${forwarded}`)).toBe(0);
    await eventually('jobs have run', async () => (await valueOf('job_success_time_seconds{job="security log"}')) > 0);

    expect(await describedSamples()).toBeGreaterThan(100);
    await device.disconnect();
  });

  it('tells health on that port, and nothing else', async () => {
    expect((await ask('/health/live')).status).toBe(200);
    const ready = await ask('/health/ready');
    expect([ready.status, await ready.json()]).toEqual([200, expect.objectContaining({ status: 'Ready', database: 'Healthy' })]);
    for (const path of ['/', '/api/v1/devices', '/account/session', '/metrics/']) expect((await ask(path)).status).toBe(404);
    expect((await ask('/metrics', { method: 'POST' })).status).toBe(405);
    expect((await fetch(`${service.url}/metrics`)).headers.get('content-type')).not.toContain('version=0.0.4');
  });

  it('sends the same by OTLP, drops what a receiver does not take, and says so once', async () => {
    await eventually('an export has arrived', () => collector.received > 0);
    collector.status = 400;
    await eventually('two lost exports are counted', async () => (await valueOf('telemetry_exports_failed_total{signal="metrics"}')) >= 2);
    expect(service.program.output.split('Metrics do not reach').length).toBe(2);
    await describedSamples();
    collector.status = 200;
    const before = collector.received;
    await eventually('exports arrive again', () => collector.received > before + 1);
  });
});

describe('the packages of OpenTelemetry', () => {
  /** Packages beside the API that a service has loaded by the end of a short life. */
  async function loadedPackages(machine: Machine, env: Readonly<Record<string, string>>): Promise<readonly string[]> {
    const { program } = await machine.start({ NODE_OPTIONS: `--import ${TELLS_PACKAGES}`, ...env });
    await program.stop();
    const [, list = ''] = /Packages: (.*)\./.exec(program.output) ?? [];
    return list === '' ? [] : list.split(' ');
  }

  it('are loaded by a service that collects metrics, and by no other', async () => {
    const machine = await Machine.afterFirstStart();
    try {
      expect(await loadedPackages(machine, { Service_Metrics__Port: String(await portToKeep()) })).toEqual(
        expect.arrayContaining(['sdk-metrics', 'exporter-prometheus']),
      );
      expect(await loadedPackages(machine, {})).toEqual([]);
    } finally {
      await machine.close();
    }
  });
});

describe('the port for metrics', () => {
  it('is refused with the name of its option when another program has it, or when it is the public one', async () => {
    const machine = await Machine.afterFirstStart();
    const occupant = createSocketServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => occupant.once('listening', resolve));
    const { port } = occupant.address() as AddressInfo;
    try {
      const taken = machine.launch({ Service_Metrics__Port: String(port) });
      expect((await taken.untilEnd()).code).toBe(1);
      expect(taken.output).toContain(`Service_Metrics__Port: another program listens on 127.0.0.1:${port} already.`);
      const shared = machine.launch({ Service_Port: '8443', Service_Metrics__Port: '8443' });
      expect((await shared.untilEnd()).code).toBe(1);
      expect(shared.output).toContain('Service_Metrics__Port: metrics need a port of their own');
    } finally {
      occupant.close();
      await machine.close();
    }
  });
});

function samplesOf(text: string): readonly Sample[] {
  return text.split('\n').flatMap((line) => {
    if (line === '' || line.startsWith('#') || line.startsWith('target_info')) return [];
    const { name = '', labels = '' } = SAMPLE.exec(line)?.groups ?? {};
    expect([line, name]).not.toEqual([line, '']);
    return [{ name, labels: Object.fromEntries([...labels.matchAll(/([a-z_]+)="([^"]*)"/g)].map(([, label, value]) => [label, value])) }];
  });
}

/** A receiver of OTLP over HTTP that counts what it is sent. */
class Collector {
  received = 0;
  status = 200;

  private constructor(
    readonly url: string,
    readonly close: () => Promise<void>,
  ) {}

  static async open(): Promise<Collector> {
    const server = createServer((request, response) => {
      request.resume().once('end', () => {
        if (collector.status === 200 && request.url === '/v1/metrics') collector.received += 1;
        response.writeHead(collector.status, { 'content-type': 'application/x-protobuf' }).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const collector = new Collector(`http://127.0.0.1:${port}`, async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    return collector;
  }
}
