import { Module } from '@nestjs/common';

import { SignalRModule } from '#libs/signalr/nest';

import { Echo } from './echo/echo.js';
import { EchoController } from './echo/echo.controller.js';
import { EchoGuard } from './echo/echo-guard.js';
import { EchoSockets } from './echo/echo-sockets.js';

/** Examination of the installation. */
@Module({ imports: [SignalRModule], controllers: [EchoController], providers: [Echo, EchoGuard, EchoSockets] })
export class DoctorModule {}
