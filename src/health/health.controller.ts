import { Controller, Get, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { DataSource } from 'typeorm';

import { AllowAnonymous } from '../authorization/access.js';

/** How long the database may take to answer the probe. */
const PROBE_TIMEOUT_MS = 5_000;

/** For supervisors and load balancers: whether the process is alive, and whether it can work. */
@ApiExcludeController()
@Controller()
export class HealthController {
  constructor(private readonly dataSource: DataSource) {}

  /** 200 `Healthy` when the database answers, else 503 `Unhealthy`. */
  @Get('health')
  @AllowAnonymous()
  async health(@Res() response: Response): Promise<void> {
    const isHealthy = await this.databaseAnswers();
    response
      .status(isHealthy ? 200 : 503)
      .json({ status: isHealthy ? 'Healthy' : 'Unhealthy', database: isHealthy ? 'Healthy' : 'Unhealthy' });
  }

  /** 200 as long as the process runs. */
  @Get('alive')
  @AllowAnonymous()
  alive(): { status: string } {
    return { status: 'Healthy' };
  }

  private async databaseAnswers(): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), PROBE_TIMEOUT_MS);
    });
    const probe = this.dataSource.query('SELECT 1').then(
      () => true,
      () => false,
    );
    try {
      return await Promise.race([probe, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}
