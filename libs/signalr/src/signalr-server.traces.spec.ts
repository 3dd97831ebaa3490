import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { propagation, trace } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { BasicTracerProvider, InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { encode } from '@msgpack/msgpack';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { hubMethod } from './runtime/calls/method-descriptor.js';
import { text } from './runtime/wire-type.js';
import { SignalRServer } from './signalr-server.js';

const OPENING = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const CALLING = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };

type Encoding = 'json' | 'messagepack';

let signalr: SignalRServer;
let http: Server;
const spans = new InMemorySpanExporter();

const traceparent = ({ traceId, spanId }: typeof OPENING): string => `00-${traceId}-${spanId}-01`;

/** The call of `Echo`, with headers. */
function callOf(encoding: Encoding, headers: unknown): string | Buffer {
  if (encoding === 'json') return `${JSON.stringify({ type: 1, invocationId: '1', target: 'Echo', arguments: ['a'], headers })}\x1e`;
  const message = encode([1, headers ?? {}, '1', 'Echo', ['a'], []]);
  return Buffer.concat([Buffer.from([message.length | 0x80, message.length >> 7]), message]);
}

/** A client that connects, calls `Echo` and leaves. @returns the spans of the call and of the connection */
async function visit(encoding: Encoding, ofRequest: Record<string, string>, ofCall: unknown): Promise<[ReadableSpan, ReadableSpan]> {
  const socket = new WebSocket(`ws://127.0.0.1:${(http.address() as AddressInfo).port}/chat`, { headers: ofRequest });
  await once(socket, 'open');
  socket.send(`{"protocol":"${encoding}","version":1}\x1e`);
  await once(socket, 'message');
  socket.send(callOf(encoding, ofCall));
  await once(socket, 'message');
  socket.close();
  await expect.poll(() => spans.getFinishedSpans()).toHaveLength(2);
  const [ofEcho, ofConnection] = spans.getFinishedSpans();
  return [ofEcho, ofConnection];
}

beforeEach(async () => {
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }));
  signalr = new SignalRServer();
  signalr.addHub({ path: '/chat' }).method(hubMethod('Echo', [text], text), ({ args }) => args[0]);
  http = createServer();
  signalr.attach(http);
  await once(http.listen(0, '127.0.0.1'), 'listening');
});

afterEach(async () => {
  await signalr.close();
  http.close();
  trace.disable();
  propagation.disable();
  spans.reset();
});

describe.each<Encoding>(['json', 'messagepack'])('traces of clients over %s', (encoding) => {
  it('go on with the connection and with each call, as their headers say', async () => {
    const [call, connection] = await visit(encoding, { traceparent: traceparent(OPENING) }, { traceparent: traceparent(CALLING) });
    expect([connection.name, connection.parentSpanContext]).toEqual(['chat', expect.objectContaining({ ...OPENING, isRemote: true })]);
    expect(connection.attributes).toEqual({
      'signalr.hub': '/chat',
      'signalr.transport': 'web_sockets',
      'signalr.connection.status': 'normal_closure',
    });
    expect([call.name, call.parentSpanContext]).toEqual(['chat/Echo', expect.objectContaining({ ...CALLING, isRemote: true })]);
    expect(call.links.map(({ context }) => context)).toEqual([connection.spanContext()]);
  });

  it.each([undefined, {}, { traceparent: 'nonsense' }])('begin on their own when the headers of a call are %j', async (headers) => {
    const [call, connection] = await visit(encoding, { traceparent: 'nonsense' }, headers);
    expect([call.parentSpanContext, connection.parentSpanContext]).toEqual([undefined, undefined]);
    expect(call.spanContext().traceId).not.toBe(connection.spanContext().traceId);
  });
});
