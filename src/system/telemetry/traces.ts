import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import type { Resource } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, type ReadableSpan, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { ExportResult } from '@opentelemetry/core';

import { ChosenIds, earlySampling } from './early-sampling.js';
import type { LostExports } from './lost-exports.js';

/** Most spans that wait for their export. More are dropped: a receiver that is away costs no more memory. */
const MAXIMUM_QUEUED = 2_048;

/**
 * Sends the spans of this process by OTLP, sampled as OTEL_TRACES_SAMPLER says. Returns a function that sends the last ones and ends. Call it
 * before the application is made.
 */
export function startTraces(resource: Resource, lost: LostExports): () => Promise<void> {
  const exporter = new CountedSpanExporter(new OTLPTraceExporter(), lost);
  const ids = new ChosenIds();
  const provider = new BasicTracerProvider({
    resource,
    idGenerator: ids,
    spanProcessors: [new BatchSpanProcessor(exporter, { maxQueueSize: MAXIMUM_QUEUED })],
  });
  trace.setGlobalTracerProvider(earlySampling(provider, ids));
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  return async () => {
    await provider.shutdown();
    trace.disable();
    context.disable();
    propagation.disable();
  };
}

/** Counts exports of spans that do not arrive. */
class CountedSpanExporter implements SpanExporter {
  constructor(
    private readonly exporter: SpanExporter,
    private readonly lost: LostExports,
  ) {}

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.exporter.export(spans, (result) => done(this.lost.note(result)));
  }

  shutdown(): Promise<void> {
    return this.exporter.shutdown();
  }
}
