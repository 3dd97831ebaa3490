import type {
  Attributes,
  Context,
  Histogram,
  Link,
  Meter,
  ObservableResult,
  Span,
  SpanKind,
  TextMapGetter,
  Tracer,
  UpDownCounter,
} from '@opentelemetry/api';
import type { Frame } from '../protocol/hub-protocol.js';
import type { TransportName } from '../transports/transport.js';
import { statusOf } from './end-reasons.js';
import { type Telemetry, telemetry } from './telemetry.js';

/** The name of the meter and of the tracer. */
const SCOPE = 'signalr-hub-server';
/** The boundaries that the conventions advise, in seconds. */
const CONNECTION_SECONDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];
const CALL_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const TRANSPORTS: Readonly<Record<TransportName, string>> = {
  WebSockets: 'web_sockets',
  ServerSentEvents: 'server_sent_events',
  LongPolling: 'long_polling',
};
/** Stands for all methods that a hub does not have: clients may invent any number of names. */
const UNKNOWN_METHOD = '_OTHER';

/** The reason of a failed call. */
export interface Failure {
  /** The class of the error. */
  readonly type: string;
  /** The error that was thrown, if it was a fault of the server. */
  readonly fault?: Error;
}

/** The part of a connection that diagnostics note. */
interface NotedConnection {
  readonly transport: TransportName;
  readonly facts: { readonly trace?: Context };
}

/** A connection that is open. */
interface NotedOpening {
  readonly openedAt: number;
  readonly span: Span | undefined;
}

/** The part of a call that diagnostics note. */
interface NotedMessage {
  readonly headers?: unknown;
}

/** Reads the headers of an HTTP request or of a call. The latter are unchecked. */
const HEADERS: TextMapGetter<unknown> = {
  keys: (headers) => (isObject(headers) ? Object.keys(headers) : []),
  get: (headers, name) => (isObject(headers) && typeof headers[name] === 'string' ? headers[name] : undefined),
};

/** A call that is under way. */
interface NotedCall {
  readonly attributes: Attributes;
  readonly begunAt: number;
  readonly traced: TracedCall | undefined;
}

/** The place of a span in its trace. */
interface SpanPlace {
  readonly kind: SpanKind;
  readonly parent: Context;
  readonly links?: Link[];
}

/** The span of a call, and the context that it is a part of. */
interface TracedCall {
  readonly span: Span;
  readonly context: Context;
}

/** Notes the events of a hub for OpenTelemetry. Names and attributes are those of its conventions where it has them. */
export class Diagnostics {
  readonly #hub: string;
  /** The hub in the names of spans and methods. */
  readonly #name: string;
  readonly #active: UpDownCounter;
  readonly #durations: Histogram;
  readonly #served: Histogram;
  readonly #asked: Histogram;
  readonly #stop: () => void;
  readonly #open = new Map<NotedConnection, NotedOpening>();
  readonly #attributes = new Map<string, Attributes>();
  #received = 0;
  #sent = 0;

  constructor(
    private readonly api: Telemetry,
    path: string,
    meter: Meter,
    private readonly tracer: Tracer | undefined,
  ) {
    this.#hub = path;
    this.#name = path.replace(/^\//, '');
    this.#active = meter.createUpDownCounter('signalr.server.active_connections', {
      unit: '{connection}',
      description: 'Number of connections that are currently active on the server.',
    });
    this.#durations = meter.createHistogram('signalr.server.connection.duration', {
      unit: 's',
      description: 'The duration of connections on the server.',
      advice: { explicitBucketBoundaries: CONNECTION_SECONDS },
    });
    this.#served = meter.createHistogram('rpc.server.call.duration', {
      unit: 's',
      description: 'The duration of calls by clients.',
      advice: { explicitBucketBoundaries: CALL_SECONDS },
    });
    this.#asked = meter.createHistogram('rpc.client.call.duration', {
      unit: 's',
      description: 'The duration of calls to clients whose answers the server waits for.',
      advice: { explicitBucketBoundaries: CALL_SECONDS },
    });
    const bytes = meter.createObservableCounter('signalr.server.io', {
      unit: 'By',
      description: 'Bytes of messages that were received from clients and sent to them.',
    });
    bytes.addCallback(this.#observeBytes);
    this.#stop = () => bytes.removeCallback(this.#observeBytes);
  }

  /**
   * The trace that a request or a call belongs to, if its headers name one: `traceparent` in the W3C's form, or another registered form.
   */
  contextOf(headers: unknown): Context {
    return this.api.propagation.extract(this.api.ROOT_CONTEXT, headers, HEADERS);
  }

  /** Notes that a client has shaken hands. */
  connected(connection: NotedConnection): void {
    const attributes = this.#attributesOf(connection);
    const { api } = this;
    const parent = connection.facts.trace ?? api.ROOT_CONTEXT;
    const span = this.tracer?.startSpan(this.#name, { kind: api.SpanKind.SERVER, attributes }, parent);
    this.#open.set(connection, { openedAt: performance.now(), span });
    this.#active.add(1, attributes);
  }

  /** Notes the end of a connection whose client had shaken hands. */
  disconnected(connection: NotedConnection, reason: string): void {
    const opening = this.#open.get(connection);
    if (opening === undefined) return;
    this.#open.delete(connection);
    const attributes = this.#attributesOf(connection);
    const status = { 'signalr.connection.status': statusOf(reason) };
    this.#active.add(-1, attributes);
    this.#durations.record(secondsSince(opening.openedAt), { ...attributes, ...status });
    opening.span?.setAttributes(status).end();
  }

  received(bytes: number): void {
    this.#received += bytes;
  }

  sent(frame: Frame): void {
    this.#sent += typeof frame === 'string' ? Buffer.byteLength(frame) : frame.length;
  }

  /**
   * Notes a call by a client. Its span belongs to the trace that the client names, or else begins one. The span of the connection is linked
   * only: calls are no part of it, because it lasts for hours.
   * @param method its name; undefined when the hub has no such method
   * @param run carries out the call, in the context of its span. Never rejects
   */
  serve(
    connection: NotedConnection,
    { headers }: NotedMessage,
    method: string | undefined,
    run: () => Promise<Failure | undefined>,
  ): Promise<void> {
    const call = this.#begin(method ?? UNKNOWN_METHOD, () => {
      const opened = this.#open.get(connection)?.span;
      const links = opened?.isRecording() === true ? [{ context: opened.spanContext() }] : [];
      return { kind: this.api.SpanKind.SERVER, parent: this.contextOf(headers), links };
    });
    return this.#within(call, run).then((failure) => this.#end(call, this.#served, failure));
  }

  /** Notes a call to a client. `run` makes the call and waits for its answer. */
  ask<R>(method: string, run: () => Promise<R>): Promise<R> {
    const call = this.#begin(method, () => {
      const parent = this.api.context.active();
      // A trace that is not recorded has no further spans, so nothing needs to be passed on.
      const isLeftOut = this.api.trace.getSpan(parent)?.isRecording() === false;
      return isLeftOut ? undefined : { kind: this.api.SpanKind.CLIENT, parent };
    });
    const answer = this.#within(call, run);
    // Beside the answer: the caller does not wait for more promises than without diagnostics.
    void answer.then(
      () => this.#end(call, this.#asked, undefined),
      (error: unknown) => this.#end(call, this.#asked, { type: error instanceof Error ? error.name : '_OTHER' }),
    );
    return answer;
  }

  /** Ends the measurements, because the hub has closed. */
  close(): void {
    this.#stop();
  }

  /** @param placeOf the place of its span, if it has one; only asked for where there are traces */
  #begin(method: string, placeOf: () => SpanPlace | undefined): NotedCall {
    const attributes = this.#attributesOfCall(method);
    const place = this.tracer === undefined ? undefined : placeOf();
    if (this.tracer === undefined || place === undefined) return { attributes, begunAt: performance.now(), traced: undefined };
    const { kind, parent, links } = place;
    const span = this.tracer.startSpan(String(attributes['rpc.method']), { kind, attributes, links }, parent);
    // A span without an id has nothing to pass on.
    const traced =
      span.spanContext().traceId === this.api.INVALID_TRACEID ? undefined : { span, context: this.api.trace.setSpan(parent, span) };
    return { attributes, begunAt: performance.now(), traced };
  }

  #within<R>({ traced }: NotedCall, run: () => Promise<R>): Promise<R> {
    return traced === undefined ? run() : this.api.context.with(traced.context, run);
  }

  #end({ attributes, begunAt, traced }: NotedCall, durations: Histogram, failure: Failure | undefined): void {
    const seconds = secondsSince(begunAt);
    if (failure === undefined) {
      durations.record(seconds, attributes, traced?.context);
    } else {
      durations.record(seconds, { ...attributes, 'error.type': failure.type }, traced?.context);
      traced?.span.setAttribute('error.type', failure.type).setStatus({ code: this.api.SpanStatusCode.ERROR });
      if (failure.fault !== undefined) traced?.span.recordException(failure.fault);
    }
    traced?.span.end();
  }

  #attributesOf({ transport }: NotedConnection): Attributes {
    return { 'signalr.hub': this.#hub, 'signalr.transport': TRANSPORTS[transport] };
  }

  #attributesOfCall(method: string): Attributes {
    let attributes = this.#attributes.get(method);
    if (attributes === undefined) {
      const name = method === UNKNOWN_METHOD ? method : `${this.#name}/${method}`;
      // Frozen, so that an SDK may know the object again without looking into it.
      attributes = Object.freeze({ 'rpc.system.name': 'signalr', 'rpc.method': name, 'signalr.hub': this.#hub });
      this.#attributes.set(method, attributes);
    }
    return attributes;
  }

  readonly #observeBytes = (result: ObservableResult): void => {
    result.observe(this.#received, { 'signalr.hub': this.#hub, 'network.io.direction': 'receive' });
    result.observe(this.#sent, { 'signalr.hub': this.#hub, 'network.io.direction': 'transmit' });
  };
}

/** The diagnostics of a hub. Undefined, so that they cost nothing, when the process has no OpenTelemetry SDK. */
export function diagnosticsOf(path: string): Diagnostics | undefined {
  if (telemetry === undefined) return undefined;
  const { createNoopMeter, metrics, ProxyTracerProvider, trace } = telemetry;
  const meter = metrics.getMeter(SCOPE);
  const provider = trace.getTracerProvider();
  const hasTraces = !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer(SCOPE) !== undefined;
  if (meter === createNoopMeter() && !hasTraces) return undefined;
  return new Diagnostics(telemetry, path, meter, hasTraces ? trace.getTracer(SCOPE) : undefined);
}

function secondsSince(time: number): number {
  return (performance.now() - time) / 1_000;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
