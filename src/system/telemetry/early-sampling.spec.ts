import { type Context, isSpanContextValid, ROOT_CONTEXT, type Span, SpanKind, trace, TraceFlags, type Tracer } from '@opentelemetry/api';
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { ChosenIds, earlySampling } from './early-sampling.js';

const SERVER = { kind: SpanKind.SERVER };
const CLIENT = { kind: SpanKind.CLIENT };
const REMOTE = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', isRemote: true };

/** Tracers as the service has them with these variables. */
function tracerWith(sampler: string, share = ''): Tracer {
  vi.stubEnv('OTEL_TRACES_SAMPLER', sampler);
  vi.stubEnv('OTEL_TRACES_SAMPLER_ARG', share);
  const ids = new ChosenIds();
  return earlySampling(new BasicTracerProvider({ idGenerator: ids }), ids).getTracer('test');
}

const within = (span: Span): Context => trace.setSpan(ROOT_CONTEXT, span);
const hasId = (span: Span): boolean => isSpanContextValid(span.spanContext());

afterEach(() => vi.unstubAllEnvs());

describe.each(['traceidratio', 'parentbased_traceidratio'])('with %s', (sampler) => {
  it('records its share of the new traces, all that it has chosen, and gives the others no id', () => {
    const tracer = tracerWith(sampler, '0.25');
    const spans = Array.from({ length: 20_000 }, () => tracer.startSpan('request', SERVER, ROOT_CONTEXT));
    const recorded = spans.filter((span) => span.isRecording());
    // Seven standard deviations.
    expect(Math.abs(recorded.length - 5_000)).toBeLessThan(430);
    expect(spans.filter(hasId)).toEqual(recorded);
    expect(new Set(recorded.map((span) => span.spanContext().traceId)).size).toBe(recorded.length);
  });

  it('records calls as part of a trace that is recorded, and of no other', () => {
    const tracer = tracerWith(sampler, '0.25');
    for (let left = 200; left > 0; left -= 1) {
      const request = tracer.startSpan('request', SERVER, ROOT_CONTEXT);
      const call = tracer.startSpan('call', CLIENT, within(request));
      expect(call.isRecording()).toBe(request.isRecording());
      expect(call.spanContext().traceId).toBe(request.spanContext().traceId);
    }
  });
});

it('records every trace that comes in by default, and no call on its own', () => {
  const tracer = tracerWith('');
  expect(tracer.startSpan('request', SERVER, ROOT_CONTEXT).isRecording()).toBe(true);
  expect(hasId(tracer.startSpan('call', CLIENT, ROOT_CONTEXT))).toBe(false);
});

it.each(['always_off', 'parentbased_always_off'])('records no new trace with %s', (sampler) => {
  expect(hasId(tracerWith(sampler).startSpan('request', SERVER, ROOT_CONTEXT))).toBe(false);
});

it.each([
  [TraceFlags.SAMPLED, true],
  [TraceFlags.NONE, false],
])('goes on with the trace of a caller whose flags are %j', (traceFlags, isRecorded) => {
  const caller = trace.wrapSpanContext({ ...REMOTE, traceFlags });
  const span = tracerWith('parentbased_traceidratio', '0').startSpan('request', SERVER, within(caller));
  expect([span.isRecording(), span.spanContext().traceId]).toEqual([isRecorded, REMOTE.traceId]);
});

it('begins a new trace below another one where it is told to', () => {
  const caller = trace.wrapSpanContext({ ...REMOTE, traceFlags: TraceFlags.SAMPLED });
  const span = tracerWith('always_on').startSpan('visit', { ...SERVER, root: true }, within(caller));
  expect(span.isRecording()).toBe(true);
  expect(span.spanContext().traceId).not.toBe(REMOTE.traceId);
});
