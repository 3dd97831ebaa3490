import { Inject, Injectable, Optional } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { Clock } from '../../platform/common/runtime/clock.js';
import { Settings } from '../../platform/config/settings.js';
import { LastOutcomes, OutcomeKind } from '../../platform/node/last-outcomes.js';
import { ServerNode } from '../../platform/node/server-node.js';
import { ServerVersion } from '../../platform/node/server-version.js';
import type { ServerHealthResponseDto } from './doctor.dto.js';
import type { DoctorReport } from './examination.js';
import { NODES_PROBE, type NodesProbe } from './nodes-probe.js';

/** Time for which a report is answered again instead of an examination, in milliseconds. */
const KEPT_MS = 10_000;

/** A report with the address of the node that made it; null where there is one node only. */
interface NodeReport extends DoctorReport {
  readonly node: string | null;
}

/** A report as JSON. */
type StoredReport = Omit<NodeReport, 'at'> & { readonly at: string };

/** Examinations of the installation, one at a time by each node. All nodes know the last report. */
@Injectable()
export class DoctorService {
  private underWay: Promise<NodeReport> | null = null;

  constructor(
    private readonly settings: Settings,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly node: ServerNode,
    private readonly version: ServerVersion,
    private readonly outcomes: LastOutcomes,
    @Optional() @Inject(NODES_PROBE) private readonly probeNodes: NodesProbe | null = null,
  ) {}

  /** The last report of any node. */
  async lastReport(): Promise<ServerHealthResponseDto> {
    return answerOf(await this.last());
  }

  /** Examines the installation. Callers share an examination that this node has under way, and a report that is new. */
  async examine(): Promise<ServerHealthResponseDto> {
    if (this.underWay === null) {
      const last = await this.last();
      // Either way: a clock that was put back must not keep an old report.
      if (last !== null && Math.abs(this.clock.milliseconds() - last.at.getTime()) < KEPT_MS) return answerOf(last);
    }
    this.underWay ??= this.run();
    return answerOf(await this.underWay);
  }

  /** Reports of other releases have findings that this one does not know. */
  private async last(): Promise<NodeReport | null> {
    const stored = (await this.outcomes.find(OutcomeKind.HealthReport)) as StoredReport | null;
    return stored?.release === this.version.text ? { ...stored, at: new Date(stored.at) } : null;
  }

  private async run(): Promise<NodeReport> {
    try {
      // The checks load libraries that a start and an idle process do without.
      const { examine } = await import('./examination.js');
      const { settings, clock, probeNodes } = this;
      const database = { manager: this.dataSource.manager };
      const report = await examine({ settings, database, clock, probeNodes, isService: true, silenceMs: 0 });
      const made: NodeReport = { ...report, node: await this.node.addressOf(this.node.id) };
      await this.outcomes.store(OutcomeKind.HealthReport, made);
      return made;
    } finally {
      this.underWay = null;
    }
  }
}

const answerOf = (report: NodeReport | null): ServerHealthResponseDto => ({
  report: report === null ? null : { ...report, findings: [...report.findings] },
});
