import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { context, propagation, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type Sampler,
} from '@opentelemetry/sdk-trace-base';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { traceCall } from './outgoing-traces.js';

describe('a call to another service', () => {
  const spans = new InMemorySpanExporter();
  let server: Server;
  let url: string;
  let received: IncomingHttpHeaders | undefined;

  beforeEach(async () => {
    received = undefined;
    server = createServer(({ headers, url: path }, response) => {
      received = headers;
      response.writeHead(path?.startsWith('/missing') === true ? 404 : 200).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterEach(async () => {
    trace.disable();
    context.disable();
    propagation.disable();
    spans.reset();
    server.close();
    await once(server, 'close');
  });

  function sampleBy(sampler: Sampler): void {
    trace.setGlobalTracerProvider(new BasicTracerProvider({ sampler, spanProcessors: [new SimpleSpanProcessor(spans)] }));
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  }

  const call = (path = '/token?code=secret'): Promise<Response> =>
    traceCall({ url: `${url}${path}`, method: 'GET' }, (headers) =>
      fetch(`${url}${path}`, { headers: { ...headers, connection: 'close' } }),
    );

  /** Calls in a trace of the test, and returns the context of its first span. */
  async function callInTrace(path?: string): Promise<{ readonly traceId: string; readonly spanId: string }> {
    const request = trace.getTracer('test').startSpan('request');
    await context.with(trace.setSpan(context.active(), request), () => call(path));
    return request.spanContext();
  }

  it('has no trace in its headers when no traces are sent', async () => {
    await call();
    expect(received).toBeDefined();
    expect(received).not.toHaveProperty('traceparent');
  });

  it('has none outside of every trace', async () => {
    sampleBy(new AlwaysOnSampler());
    await call();
    expect(received).not.toHaveProperty('traceparent');
    expect(spans.getFinishedSpans()).toEqual([]);
  });

  it('has a span of the current trace, which its headers name', async () => {
    sampleBy(new AlwaysOnSampler());
    const request = await callInTrace();
    const [span] = spans.getFinishedSpans();
    expect([span.spanContext().traceId, span.parentSpanContext?.spanId]).toEqual([request.traceId, request.spanId]);
    expect(received?.traceparent).toBe(`00-${request.traceId}-${span.spanContext().spanId}-01`);
    expect([span.name, span.attributes]).toEqual([
      'GET',
      { 'http.request.method': 'GET', 'server.address': '127.0.0.1', 'http.response.status_code': 200 },
    ]);
  });

  it('tells that its trace is not recorded', async () => {
    sampleBy(new AlwaysOffSampler());
    const request = await callInTrace();
    expect(received?.traceparent).toBe(`00-${request.traceId}-${request.spanId}-00`);
  });

  it('that is refused or fails has a span with an error', async () => {
    sampleBy(new AlwaysOnSampler());
    await callInTrace('/missing');
    url = 'http://127.0.0.1:1';
    await expect(callInTrace()).rejects.toThrow(TypeError);
    const errors = spans.getFinishedSpans().map(({ status, attributes }) => [status.code, attributes['error.type']]);
    expect(errors).toEqual([
      [SpanStatusCode.ERROR, undefined],
      [SpanStatusCode.ERROR, 'TypeError'],
    ]);
  });
});
