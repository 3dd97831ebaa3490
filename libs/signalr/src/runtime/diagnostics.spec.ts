import { context, metrics, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { type DataPoint, type Histogram, MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HubError } from './errors.js';
import { hubMethod, stream } from './calls/method-descriptor.js';
import { call, eventually, invocation, news, question, TestHub } from './test-hub.fixture.js';
import { number, text } from './wire-type.js';

/** Collects only when a test asks. */
class Reader extends MetricReader {
  protected override onForceFlush(): Promise<void> {
    return Promise.resolve();
  }

  protected override onShutdown(): Promise<void> {
    return Promise.resolve();
  }
}

const HUB = { 'signalr.hub': '/hub' };
const WEB_SOCKETS = { ...HUB, 'signalr.transport': 'web_sockets' };
const CALL = { ...HUB, 'rpc.system.name': 'signalr' };

let reader: Reader;
const spans = new InMemorySpanExporter();

/** The values of a metric with their attributes. Undefined when nothing was recorded. */
async function pointsOf(name: string): Promise<readonly DataPoint<unknown>[] | undefined> {
  const { resourceMetrics, errors } = await reader.collect();
  expect(errors).toEqual([]);
  const all = resourceMetrics.scopeMetrics.flatMap((scope) => scope.metrics);
  return all.find(({ descriptor }) => descriptor.name === name)?.dataPoints;
}

/** The numbers of recordings of a duration, by its attributes. */
async function countsOf(name: string): Promise<[number, object][] | undefined> {
  return (await pointsOf(name))?.map(({ value, attributes }) => [(value as Histogram).count, attributes]);
}

async function sumsOf(name: string): Promise<[unknown, object][] | undefined> {
  return (await pointsOf(name))?.map(({ value, attributes }) => [value, attributes]);
}

describe('a hub in a process with an OpenTelemetry SDK', () => {
  let hub: TestHub;

  beforeEach(() => {
    reader = new Reader();
    metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }));
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    hub = new TestHub();
    hub.method(hubMethod('Echo', [text], text), ({ args }) => args[0]);
    hub.method(hubMethod('Refuse', []), () => {
      throw new HubError('Not today.');
    });
    hub.method(hubMethod('Break', []), () => Promise.reject(new RangeError('It broke.')));
  });

  afterEach(() => {
    metrics.disable();
    trace.disable();
    context.disable();
    spans.reset();
  });

  it('counts open connections by transport, and measures how long they were open', async () => {
    const [first, second] = [hub.connect(), hub.connect(), hub.connect()];
    first.transport.lose();
    second.transport.deliverRecords({ type: 7 });
    expect(await sumsOf('signalr.server.active_connections')).toEqual([[1, WEB_SOCKETS]]);
    expect(await countsOf('signalr.server.connection.duration')).toEqual([
      [2, { ...WEB_SOCKETS, 'signalr.connection.status': 'normal_closure' }],
    ]);
    await hub.close({ graceMs: 0 });
  });

  it('does not count connections before their handshake', async () => {
    hub.openTransport().lose();
    expect(await sumsOf('signalr.server.active_connections')).toBeUndefined();
    expect(await sumsOf('signalr.server.connection.duration')).toBeUndefined();
  });

  it('reports the reasons why connections ended', async () => {
    hub.connect();
    hub.pass(60);
    hub.connect();
    await hub.close({ graceMs: 0 });
    expect(await countsOf('signalr.server.connection.duration')).toEqual([
      [1, { ...WEB_SOCKETS, 'signalr.connection.status': 'timeout' }],
      [1, { ...WEB_SOCKETS, 'signalr.connection.status': 'app_shutdown' }],
    ]);
  });

  it('counts the bytes of messages in both directions, until it closes', async () => {
    const { transport, connection } = hub.connect();
    transport.deliver('x'.repeat(10));
    connection.send(news, ['ü']);
    const shaken = '{"protocol":"json","version":1}\x1e'.length;
    const sent = Buffer.byteLength(transport.sent.join(''));
    const both = [
      [shaken + 10, { ...HUB, 'network.io.direction': 'receive' }],
      [sent, { ...HUB, 'network.io.direction': 'transmit' }],
    ];
    expect(await sumsOf('signalr.server.io')).toEqual(both);
    transport.lose();
    await hub.close({ graceMs: 0 });
    hub.diagnostics?.received(1);
    expect(await sumsOf('signalr.server.io')).toEqual(both);
  });

  it('measures calls by method and error, and names unknown methods alike', async () => {
    const { transport } = hub.connect();
    transport.deliverRecords(invocation('1', 'Echo', 'a'), call('echo', 'b'), invocation('2', 'Echo'), invocation('3', 'Refuse'));
    transport.deliverRecords(invocation('4', 'Break'), invocation('5', 'Nonsense'), invocation('6', 'Rubbish'));
    await eventually(() => spans.getFinishedSpans().length === 7);
    expect(await countsOf('rpc.server.call.duration')).toEqual([
      [2, { ...CALL, 'rpc.method': 'hub/Echo' }],
      [1, { ...CALL, 'rpc.method': 'hub/Echo', 'error.type': 'RefusedCall' }],
      [1, { ...CALL, 'rpc.method': 'hub/Refuse', 'error.type': 'HubError' }],
      [2, { ...CALL, 'rpc.method': '_OTHER', 'error.type': 'RefusedCall' }],
      [1, { ...CALL, 'rpc.method': 'hub/Break', 'error.type': 'RangeError' }],
    ]);
  });

  it('makes a span of each call, and records its fault', async () => {
    const { transport } = hub.connect();
    transport.deliverRecords(invocation('1', 'Echo', 'a'), invocation('2', 'Refuse'), invocation('3', 'Break'));
    await eventually(() => spans.getFinishedSpans().length === 3);
    const seen = spans.getFinishedSpans().map(({ name, kind, status, events, parentSpanContext }) => {
      return { name, kind, status, events: events.map((event) => event.name), parentSpanContext };
    });
    const server = { kind: SpanKind.SERVER, parentSpanContext: undefined };
    expect(seen).toEqual([
      { ...server, name: 'hub/Echo', status: { code: SpanStatusCode.UNSET }, events: [] },
      { ...server, name: 'hub/Refuse', status: { code: SpanStatusCode.ERROR }, events: [] },
      { ...server, name: 'hub/Break', status: { code: SpanStatusCode.ERROR }, events: ['exception'] },
    ]);
  });

  it('measures a stream until its end, and a call that its client cancels as no error', async () => {
    hub.method(hubMethod('Count', [], stream(number)), async function* () {
      yield await Promise.resolve(1);
    });
    hub.method(hubMethod('Endless', [], stream(number)), async function* ({ signal }) {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      signal.throwIfAborted();
      yield 1;
    });
    const { transport } = hub.connect();
    const open = (invocationId: string, target: string): object => ({ type: 4, invocationId, target, arguments: [] });
    transport.deliverRecords(open('1', 'Count'), open('2', 'Endless'));
    await eventually(() => spans.getFinishedSpans().length === 1);
    transport.deliverRecords({ type: 5, invocationId: '2' });
    await eventually(() => spans.getFinishedSpans().length === 2);
    expect(await countsOf('rpc.server.call.duration')).toEqual([
      [1, { ...CALL, 'rpc.method': 'hub/Count' }],
      [1, { ...CALL, 'rpc.method': 'hub/Endless' }],
    ]);
  });

  it('measures calls to clients, within the call that makes them', async () => {
    hub.method(hubMethod('Ask', [], text), async ({ connection }) => (await connection.invoke(question, ['?'])) ?? '');
    const { transport, connection } = hub.connect();
    transport.deliverRecords(invocation('1', 'Ask'), { type: 3, invocationId: 's1', result: 'here' });
    await eventually(() => spans.getFinishedSpans().length === 2);
    const refused = connection.invoke(question, ['?']);
    transport.deliverRecords({ type: 3, invocationId: 's2', error: 'no' });
    await expect(refused).rejects.toThrow('no');

    const [asking, asked] = spans.getFinishedSpans();
    expect([asking.name, asking.kind, asking.parentSpanContext?.spanId]).toEqual([
      'hub/Question',
      SpanKind.CLIENT,
      asked.spanContext().spanId,
    ]);
    expect(await countsOf('rpc.client.call.duration')).toEqual([
      [1, { ...CALL, 'rpc.method': 'hub/Question' }],
      [1, { ...CALL, 'rpc.method': 'hub/Question', 'error.type': 'ClientResultError' }],
    ]);
  });
});

describe('a hub in a process without an OpenTelemetry SDK', () => {
  it('keeps no diagnostics', () => {
    expect(new TestHub().diagnostics).toBeUndefined();
  });

  it.each([
    ['metrics', () => metrics.setGlobalMeterProvider(new MeterProvider()), () => metrics.disable()],
    ['traces', () => trace.setGlobalTracerProvider(new BasicTracerProvider()), () => trace.disable()],
  ])('keeps them as soon as there is one for %s', (_signal, register, unregister) => {
    register();
    try {
      expect(new TestHub().diagnostics).toBeDefined();
    } finally {
      unregister();
    }
  });
});
