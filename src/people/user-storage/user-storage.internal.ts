import { internalTwinOf } from '../../system/internal-surface/internal-twin.js';
import { UserStorageController } from './user-storage.controller.js';

export class UserStorageInternalController extends internalTwinOf(UserStorageController, 'api/user-storage', {
  set: {},
  get: {},
  remove: {},
}) {}
