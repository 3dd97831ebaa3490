import { Module } from '@nestjs/common';

import { ServerModule } from '../server/server.module.js';
import { DeviceEvents } from './device-events.js';
import { DesktopSessionsController } from './desktop-sessions.controller.js';
import { DevicesController } from './devices.controller.js';
import { DevicesRepository } from './devices.repository.js';
import { DevicesService } from './devices.service.js';

@Module({
  imports: [ServerModule],
  controllers: [DesktopSessionsController, DevicesController],
  providers: [DeviceEvents, DevicesRepository, DevicesService],
  exports: [DeviceEvents, DevicesService],
})
export class DevicesModule {}
