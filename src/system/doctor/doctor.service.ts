import { Inject, Injectable, Optional } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { Clock } from '../../platform/common/runtime/clock.js';
import { Settings } from '../../platform/config/settings.js';
import type { ServerHealthResponseDto } from './doctor.dto.js';
import type { DoctorReport } from './examination.js';
import { NODES_PROBE, type NodesProbe } from './nodes-probe.js';

/** Time for which a report is answered again instead of an examination, in milliseconds. */
const KEPT_MS = 10_000;

/** Examinations of the installation by this process: one at a time. */
@Injectable()
export class DoctorService {
  private last: DoctorReport | null = null;
  private underWay: Promise<DoctorReport> | null = null;

  constructor(
    private readonly settings: Settings,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    @Optional() @Inject(NODES_PROBE) private readonly probeNodes: NodesProbe | null = null,
  ) {}

  /** The last report of this process. */
  lastReport(): ServerHealthResponseDto {
    return answerOf(this.last);
  }

  /** Examines the installation. Callers share an examination that is under way, and the report of one that has just ended. */
  async examine(): Promise<ServerHealthResponseDto> {
    if (this.underWay === null && this.last !== null && this.clock.milliseconds() - this.last.at.getTime() < KEPT_MS) {
      return answerOf(this.last);
    }
    this.underWay ??= this.run();
    return answerOf(await this.underWay);
  }

  private async run(): Promise<DoctorReport> {
    try {
      // The checks load libraries that a start and an idle process do without.
      const { examine } = await import('./examination.js');
      const { settings, clock, probeNodes } = this;
      const database = { manager: this.dataSource.manager };
      this.last = await examine({ settings, database, clock, probeNodes, isService: true, silenceMs: 0 });
      return this.last;
    } finally {
      this.underWay = null;
    }
  }
}

const answerOf = (report: DoctorReport | null): ServerHealthResponseDto => ({
  report: report === null ? null : { ...report, findings: [...report.findings] },
});
