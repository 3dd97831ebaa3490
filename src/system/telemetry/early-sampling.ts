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

/** Number of values that a word of 32 bits can have. */
const WORD_VALUES = 2 ** 32;
const NOT_RECORDED: Span = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);

/**
 * Tracers that decide first whether a new trace is recorded. The SDK makes ids and a span for the others as well, and their requests carry these
 * through every asynchronous step: a fifth of the processor time of a hub call. Here a trace that is not recorded has neither id nor context.
 *
 * A trace begins with a request or a call that comes in. A call to a device or to another service is recorded as part of a trace only.
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

  constructor() {
    const share = recordedShare();
    this.bound = share === 1 ? WORD_VALUES : Math.floor(share * (WORD_VALUES - 1));
  }

  /**
   * Draws the id of a new trace, and returns true if a trace of this id is recorded. The rule is that of the SDK's `TraceIdRatioBasedSampler`,
   * so that services with the same ratio record the same traces: the number of a trace is the exclusive or of the four words of its id. It is
   * drawn first, because most traces need no more.
   */
  choose(): boolean {
    const number = word();
    if (number >= this.bound) return false;
    const others = [word(), word(), word()] as const;
    const words = [...others, (number ^ others[0] ^ others[1] ^ others[2]) >>> 0];
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
  return Math.floor(Math.random() * WORD_VALUES);
}
