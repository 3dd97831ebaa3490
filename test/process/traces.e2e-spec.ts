import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { viewerHub } from '#libs/contracts';

import type { Service } from '../../demo/service.js';
import { TestViewer } from '../hubs/viewer-client.js';
import { enrol, ReportingDevice } from '../support/devices/reporting-device.js';
import { eventually } from '../support/eventually.js';
import { Machine } from '../support/processes/service-process.js';
import { TraceCollector, type SentSpan } from '../support/stand-ins/trace-collector.js';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const TRACE_PARENT = `00-${TRACE_ID}-b7ad6b7169203331-01`;

describe('a service that sends traces', () => {
  let machine: Machine;
  let service: Service;
  let collector: TraceCollector;
  let provider: BrokenProvider;

  beforeAll(async () => {
    collector = await TraceCollector.open();
    provider = await BrokenProvider.open();
    machine = await Machine.afterFirstStart();
    const program = machine.launch({
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/v1/traces`,
      OTEL_BSP_SCHEDULE_DELAY: '100',
      Service_AppOptions__UseHttpLogging: 'true',
      Service_Logging__Format: 'Json',
      Service_OpenIdConnect__0__Name: 'corporate',
      Service_OpenIdConnect__0__Issuer: provider.url,
      Service_OpenIdConnect__0__ClientId: 'device-management',
      Service_OpenIdConnect__0__ClientSecret: 'secret',
    });
    const [, url = ''] = await program.untilPrints(/Listening on (http:[^"]+)"/);
    service = { program, url };
  });

  afterAll(async () => {
    await machine.close();
    await collector.close();
    await provider.close();
  });

  async function spanOf(what: string, find: (span: SentSpan) => boolean): Promise<SentSpan> {
    await eventually(what, () => collector.spans.some(find));
    return collector.spans.find(find) ?? expect.fail(what);
  }

  it('notes a request with its queries in the trace that the caller names, which is its id and that of its log line', async () => {
    const { key } = machine.account;
    const headers = { traceparent: TRACE_PARENT, 'x-api-key': key };
    const answer = await fetch(`${service.url}/api/v1/tenants`, { headers });
    expect([answer.status, answer.headers.get('x-request-id')]).toEqual([200, TRACE_ID]);
    const request = await spanOf('the span of the request', ({ name }) => name === 'GET /api/v1/tenants');
    expect([request.traceId, request.parentId]).toEqual([TRACE_ID, 'b7ad6b7169203331']);
    const query = await spanOf('a span of its queries', ({ name, traceId }) => name === 'SELECT' && traceId === TRACE_ID);
    expect(query.parentId).toBe(request.spanId);
    await eventually('the line of the request', () => service.program.output.includes(`"traceId":"${TRACE_ID}"`));
    // A probe is asked every few seconds, and is no work of the service.
    await fetch(`${service.url}/health`);
    await fetch(`${service.url}/api/v1/nothing`);
    await spanOf('the span of a later request', ({ name }) => name === 'GET other');
    expect(collector.spans.filter(({ name }) => name.includes('health'))).toEqual([]);
  });

  it('notes a call of an agent with the batch that stores its report', async () => {
    const device = await ReportingDevice.register(service.url, await enrol(machine.client(service)));
    await device.connect(service.url);
    await device.reportAs('front-desk-2');
    const call = await spanOf('the span of the call', ({ name }) => name.endsWith('UpdateDeviceSigned'));
    expect(call.traceId).not.toBe(TRACE_ID);
    await spanOf('a query of the call', ({ traceId, parentId }) => traceId === call.traceId && parentId === call.spanId);
    await device.disconnect();
  });

  it('notes a call of a viewer and the call of the device that answers it in one trace', async () => {
    const client = machine.client(service);
    const { tenantId, keyId, keySecret } = await enrol(client);
    const place = ['--data-dir', join(machine.folder, 'agent')];
    const options = ['--no-service', '--server', service.url, '--tenant', tenantId, '--key-id', keyId, ...place];
    const installation = machine.agent(['install', ...options], { DEVICE_AGENT_KEY_SECRET: keySecret });
    const [, deviceId = ''] = await installation.untilPrints(/Device (\S+) is installed/);
    const agent = machine.agent(['run', ...place]);
    const isOnline = async (): Promise<boolean> => (await client.get(`/api/v1/devices/${deviceId}`)).as<{ isOnline: boolean }>().isOnline;
    await eventually('the device is online', isOnline);
    const viewer = await TestViewer.connect(service, { 'x-api-key': machine.account.key });
    try {
      // Where the machine is busy, an answer may come too late.
      await eventually('the device answers', async () => (await viewer.call(viewerHub.GetActiveDesktopSessions2, { deviceId })).isSuccess);
      const ask = await spanOf('the span of the device’s answer', ({ name }) => name === 'hubs/agent/GetActiveDesktopSessions');
      const call = await spanOf('the span of the viewer’s call', ({ spanId }) => spanId === ask.parentId);
      expect([call.name, call.parentId, call.traceId]).toEqual(['hubs/viewer/GetActiveDesktopSessions2', '', ask.traceId]);
    } finally {
      await viewer.stop();
      await agent.stop();
    }
  });

  it('names the trace in its calls of other services', async () => {
    const answer = await fetch(`${service.url}/account/external/corporate/start`, {
      headers: { traceparent: TRACE_PARENT },
      redirect: 'manual',
    });
    expect(answer.headers.get('x-request-id')).toBe(TRACE_ID);
    const request = await spanOf('the span of the request', ({ name }) => name === 'GET /account/external/:provider/start');
    const call = await spanOf('the span of the call', ({ name, parentId }) => name === 'GET' && parentId === request.spanId);
    expect(provider.traceParents).toEqual([`00-${TRACE_ID}-${call.spanId}-01`]);
  });

  it('names a trace that the caller does not record in answer, log and calls, and sends nothing of it', async () => {
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-00` };
    const answer = await fetch(`${service.url}/account/external/corporate/start`, { headers, redirect: 'manual' });
    expect(answer.headers.get('x-request-id')).toBe(traceId);
    expect(provider.traceParents.at(-1)).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`));
    await eventually('the line of the request', () => service.program.output.includes(`"traceId":"${traceId}"`));
    await fetch(`${service.url}/api/v1/tenants/none`, { headers: { traceparent: TRACE_PARENT } });
    await spanOf('the span of a later request', ({ name }) => name === 'GET /api/v1/tenants/:tenantId');
    expect(collector.spans.filter((span) => span.traceId === traceId)).toEqual([]);
  });

  it('sends the last spans before it stops', async () => {
    const own = await TraceCollector.open();
    const other = await Machine.afterFirstStart();
    try {
      const started = await other.start({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${own.url}/v1/traces`, OTEL_BSP_SCHEDULE_DELAY: '600000' });
      await fetch(`${started.url}/api/v1/nothing`);
      await started.program.stop();
      expect(own.spans.map(({ name }) => name)).toContain('GET other');
    } finally {
      await other.close();
      await own.close();
    }
  });
});

/** A provider of OpenID Connect that is out of order. It keeps what it is told of traces. */
class BrokenProvider {
  readonly traceParents: (string | string[] | undefined)[] = [];

  private constructor(private readonly server: Server) {
    server.on('request', ({ headers }, response) => {
      this.traceParents.push(headers.traceparent);
      response.writeHead(503).end();
    });
  }

  static async open(): Promise<BrokenProvider> {
    const server = createServer().listen(0, 'localhost');
    await once(server, 'listening');
    return new BrokenProvider(server);
  }

  get url(): string {
    return `http://localhost:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
