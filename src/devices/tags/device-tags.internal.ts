import { AS_TEXT } from '../../platform/http/problems/failure-forms.js';
import { internalTwinOf } from '../../system/internal-surface/internal-twin.js';
import { DeviceTagsController } from './device-tags.controller.js';

const failures = { 404: AS_TEXT };

export class DeviceTagsInternalController extends internalTwinOf(DeviceTagsController, 'api/device-tags', {
  add: { failures },
  remove: { failures },
}) {}
