import { Module } from '@nestjs/common';

import { DesktopPreviewController } from './desktop-preview.controller.js';
import { DesktopPreviewService } from './desktop-preview.service.js';

@Module({ controllers: [DesktopPreviewController], providers: [DesktopPreviewService] })
export class DesktopPreviewModule {}
