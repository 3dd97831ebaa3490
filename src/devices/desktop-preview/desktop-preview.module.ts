import { Module } from '@nestjs/common';

import { DesktopPreviewController } from './desktop-preview.controller.js';
import { DesktopPreviewInternalController } from './desktop-preview.internal.js';
import { DesktopPreviewService } from './desktop-preview.service.js';

@Module({ controllers: [DesktopPreviewController, DesktopPreviewInternalController], providers: [DesktopPreviewService] })
export class DesktopPreviewModule {}
