import {
  context as contexts,
  type Context,
  INVALID_SPAN_CONTEXT,
  type Span,
  SpanKind,
  type SpanOptions,
  trace,
  type Tracer,
  type TracerProvider,
} from '@opentelemetry/api';
import { getNumberFromEnv, getStringFromEnv } from '@opentelemetry/core';
import { type IdGenerator, RandomIdGenerator } from '@opentelemetry/sdk-trace-base';

/** The number of values of a word of 32 bits. */
const WORDS = 0x1_0000_0000;
const NOT_RECORDED: Span = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);

/**
 * Tracers that decide about a new trace before anything is made for it. The SDK gives a trace that is not recorded ids and a span as well, which
 * its request passes on with every asynchronous step: a fifth of the processor time of a hub call. Here such a trace has neither id nor context.
 *
 * A trace begins with what comes in. A call to a device or to another service is part of one: on its own it is not recorded.
 * @param provider the provider of the SDK, which takes its ids from `ids`
 */
export function earlySampling(provider: TracerProvider, ids: ChosenIds): TracerProvider {
  return { getTracer: (...scope) => earlyTracer(provider.getTracer(...scope), ids) };
}

function earlyTracer(tracer: Tracer, ids: ChosenIds): Tracer {
  return {
    startSpan(name: string, options: SpanOptions = {}, context: Context = contexts.active()): Span {
      const parent = options.root === true ? undefined : trace.getSpan(context);
      if (parent === NOT_RECORDED) return NOT_RECORDED;
      if (parent === undefined && (options.kind === SpanKind.CLIENT || !ids.choose())) return NOT_RECORDED;
      return tracer.startSpan(name, options, context);
    },
    startActiveSpan: tracer.startActiveSpan.bind(tracer),
  };
}

/** The share of new traces that the standard variables have recorded. The SDK complains of values that make no sense, and records all then. */
function recordedShare(): number {
  const sampler = getStringFromEnv('OTEL_TRACES_SAMPLER') ?? '';
  if (/^(?:parentbased_)?always_off$/.test(sampler)) return 0;
  if (!/^(?:parentbased_)?traceidratio$/.test(sampler)) return 1;
  const share = getNumberFromEnv('OTEL_TRACES_SAMPLER_ARG') ?? 1;
  return share >= 0 && share <= 1 ? share : 1;
}

/** The ids of traces and spans. That of a new trace is chosen before the SDK asks for it. */
export class ChosenIds implements IdGenerator {
  private readonly random = new RandomIdGenerator();
  /** A trace with a smaller number is recorded. */
  private readonly bound: number;
  private chosen: string | undefined;

  /** By default `share`, the part of the new traces that is recorded, is what the standard variables say. */
  constructor(share = recordedShare()) {
    this.bound = share === 1 ? WORDS : Math.floor(share * (WORDS - 1));
  }

  /**
   * Draws the id of a new trace. False if a trace of this id is not recorded, by the rule of the SDK's `TraceIdRatioBasedSampler`, which takes
   * the exclusive or of its four words for its number: services with the same ratio record the same traces.
   */
  choose(): boolean {
    const words = [word(), word(), word(), word()] as const;
    if ((words[0] ^ words[1] ^ words[2] ^ words[3]) >>> 0 >= this.bound) return false;
    this.chosen = words.map((each) => each.toString(16).padStart(8, '0')).join('');
    return true;
  }

  readonly generateTraceId = (): string => {
    const id = this.chosen ?? this.random.generateTraceId();
    this.chosen = undefined;
    return id;
  };

  readonly generateSpanId = (): string => this.random.generateSpanId();
}

function word(): number {
  return Math.floor(Math.random() * WORDS);
}
