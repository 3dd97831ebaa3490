import { metrics } from '@opentelemetry/api';

/** Outcome of a call. */
export type CallOutcome = 'done' | 'refused' | 'not_done' | 'unreachable' | 'unknown';

/** The figures of the line that are read when metrics are collected. */
export interface ObservedLine {
  readonly isUp: boolean;
  readonly roundTripMs: number | null;
  readonly heardNodes: readonly string[];
}

/** The metrics of the line between nodes. */
export class NodeMetrics {
  private readonly meter = metrics.getMeter('nodes');
  private readonly calls = this.meter.createHistogram('nodes.call.duration', {
    unit: 's',
    description: 'Duration of calls of other nodes, by method and outcome.',
  });
  private readonly batches = this.meter.createHistogram('nodes.batch.size', {
    unit: '{part}',
    description: 'Calls or answers that left for another node in one message.',
  });
  private readonly signalled = this.meter.createCounter('nodes.signals', {
    unit: '{device}',
    description: 'Devices that signals named, by direction (sent, heard).',
  });
  private readonly lookups = this.meter.createCounter('nodes.directory', {
    unit: '{lookup}',
    description: 'Look-ups of the place of a device or viewer at another node, by result (hit, miss).',
  });

  /** Reads the figures of the line at each collection. */
  observe(line: ObservedLine): void {
    this.meter
      .createObservableGauge('nodes.nats.up', { unit: '{line}', description: '1 while NATS carries what this node says, else 0.' })
      .addCallback((result) => result.observe(line.isUp ? 1 : 0));
    this.meter
      .createObservableGauge('nodes.nats.round_trip', { unit: 's', description: 'Time of a message to NATS and back.' })
      .addCallback((result) => {
        const { roundTripMs } = line;
        if (roundTripMs !== null) result.observe(roundTripMs / 1_000);
      });
    this.meter
      .createObservableGauge('nodes.heard', { unit: '{node}', description: 'Other nodes that were heard within five seconds.' })
      .addCallback((result) => result.observe(line.heardNodes.length));
  }

  called(method: string, outcome: CallOutcome, milliseconds: number): void {
    this.calls.record(milliseconds / 1_000, { method, outcome });
  }

  sent(parts: number): void {
    this.batches.record(parts);
  }

  signals(direction: 'sent' | 'heard', devices: number): void {
    this.signalled.add(devices, { direction });
  }

  lookup(result: 'hit' | 'miss'): void {
    this.lookups.add(1, { result });
  }
}
