import { Controller, Get, Res } from '@nestjs/common';
import type { Response } from 'express';

import { AllowAnonymous } from '../../access/authorization/guard/access.js';
import { NotDescribed } from '../openapi/operation.js';
import { DatabaseProbe } from './database-probe.js';
import { Readiness } from './readiness.js';

/** Liveness and readiness of the process, for supervisors and load balancers. */
@NotDescribed()
@Controller()
export class HealthController {
  constructor(
    private readonly probe: DatabaseProbe,
    private readonly readiness: Readiness,
  ) {}

  /** 200 `Healthy` when the database answers, else 503 `Unhealthy`. */
  @Get('health')
  @AllowAnonymous()
  async health(@Res() response: Response): Promise<void> {
    const isHealthy = await this.probe.answers();
    response
      .status(isHealthy ? 200 : 503)
      .json({ status: isHealthy ? 'Healthy' : 'Unhealthy', database: isHealthy ? 'Healthy' : 'Unhealthy' });
  }

  /** 200 when this process should get requests, else 503; the body gives the reason. */
  @Get('health/ready')
  @AllowAnonymous()
  async ready(@Res() response: Response): Promise<void> {
    const answer = await this.readiness.answer();
    response.status(answer.status === 'NotReady' ? 503 : 200).json(answer);
  }

  /** 200 as long as the process runs. */
  @Get('alive')
  @AllowAnonymous()
  alive(): { status: string } {
    return { status: 'Healthy' };
  }
}
