import { Module } from '@nestjs/common';

import { SignalRModule } from '#libs/signalr/nest';

import { NodeModule } from '../../platform/node/node.module.js';
import { DoctorService } from './doctor.service.js';
import { Echo } from './echo/echo.js';
import { EchoController } from './echo/echo.controller.js';
import { EchoGuard } from './echo/echo-guard.js';
import { EchoSockets } from './echo/echo-sockets.js';
import { ServerHealthController } from './server-health.controller.js';

/** Examination of the installation. */
@Module({
  imports: [NodeModule, SignalRModule],
  controllers: [ServerHealthController, EchoController],
  providers: [DoctorService, Echo, EchoGuard, EchoSockets],
})
export class DoctorModule {}
