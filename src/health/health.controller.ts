import { Controller, Get, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';

import { AllowAnonymous } from '../authorization/access.js';
import { DatabaseProbe } from './database-probe.js';

/** For supervisors and load balancers: whether the process is alive, and whether it can work. */
@ApiExcludeController()
@Controller()
export class HealthController {
  constructor(private readonly probe: DatabaseProbe) {}

  /** 200 `Healthy` when the database answers, else 503 `Unhealthy`. */
  @Get('health')
  @AllowAnonymous()
  async health(@Res() response: Response): Promise<void> {
    const isHealthy = await this.probe.answers();
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
}
