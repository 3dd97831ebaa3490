import { Injectable, Logger } from '@nestjs/common';
import { ROOT_CONTEXT, SpanKind, trace, type Span } from '@opentelemetry/api';

import { correlationFactsOf, correlationOf, idOf, type Principal } from '../../../../access/authentication/principals/principal.js';
import { Clock } from '../../../../platform/common/runtime/clock.js';
import type { ConnectedViewer } from '../connections/connected-viewer.js';

/** The most steps of one visit that are noted. Later ones are left out: a viewer decides by itself how often it reports one. */
const MAXIMUM_STEPS = 1_000;

/** A viewer's visit to a device: the time from turning to the device to turning away. */
interface Visit {
  readonly deviceId: string;
  readonly begunAt: number;
  readonly span: Span;
  steps: number;
}

/**
 * The visits of viewers to devices, one of each viewer at a time. They are written to the log and as spans to the trace, where the
 * process has been given an exporter for traces. Nothing of them is stored.
 */
@Injectable()
export class DeviceVisits {
  private readonly logger = new Logger('DeviceVisits');
  private readonly tracer = trace.getTracer('viewer-hub');
  private readonly visits = new Map<ConnectedViewer, Visit>();

  constructor(private readonly clock: Clock) {}

  /** Begins a visit; a former one of the viewer ends. False when the viewer has disconnected already. */
  begin(viewer: ConnectedViewer, deviceId: string): boolean {
    this.end(viewer);
    if (!viewer.connection.isOpen) return false;
    const attributes = { 'device.id': deviceId, ...attributesOf(viewer.principal) };
    const span = this.tracer.startSpan('remote_access_session', { kind: SpanKind.SERVER, attributes }, ROOT_CONTEXT);
    this.visits.set(viewer, { deviceId, begunAt: this.clock.milliseconds(), span, steps: 0 });
    this.logger.log({ message: 'A viewer has turned to a device.', deviceId, ...factsOf(viewer) });
    return true;
  }

  /** Notes an action of the viewer in its visit. Does nothing without a visit. */
  note(viewer: ConnectedViewer, step: string): void {
    const visit = this.visits.get(viewer);
    if (visit === undefined || visit.steps >= MAXIMUM_STEPS) return;
    visit.steps += 1;
    this.tracer.startSpan(step, {}, trace.setSpan(ROOT_CONTEXT, visit.span)).end();
    this.logger.log({ message: 'A viewer did something with a device.', step, deviceId: visit.deviceId, ...factsOf(viewer) });
  }

  /** Ends the visit of a viewer, if it has one. */
  end(viewer: ConnectedViewer): void {
    const visit = this.visits.get(viewer);
    if (visit === undefined) return;
    this.visits.delete(viewer);
    visit.span.end();
    const { deviceId, begunAt } = visit;
    const seconds = Math.round((this.clock.milliseconds() - begunAt) / 1000);
    this.logger.log({ message: 'A viewer has turned away from a device.', deviceId, seconds, ...factsOf(viewer) });
  }
}

function factsOf({ principal, connectionId }: ConnectedViewer): object {
  return { principal: idOf(principal), connectionId, ...correlationFactsOf(principal) };
}

function attributesOf(principal: Principal): Record<string, string> {
  const { sessionCorrelationId } = correlationOf(principal);
  return {
    'user.id': idOf(principal) ?? '',
    'user.name': principal.name,
    ...(sessionCorrelationId === null ? {} : { 'session.correlation_id': sessionCorrelationId }),
  };
}
