import { internalTwinOf } from '../../system/internal-surface/internal-twin.js';
import { DesktopPreviewController } from './desktop-preview.controller.js';

export class DesktopPreviewInternalController extends internalTwinOf(DesktopPreviewController, 'api/desktop-preview', {
  get: { failures: { refusedByDevice: { status: 503 } } },
}) {}
