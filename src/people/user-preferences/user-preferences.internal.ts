import { internalTwinOf } from '../../system/internal-surface/internal-twin.js';
import { EffectiveUserPreferencesController } from './effective-user-preferences.controller.js';
import { UserPreferencesController } from './user-preferences.controller.js';

export class UserPreferencesInternalController extends internalTwinOf(UserPreferencesController, 'api/user-preferences', {
  list: {},
  get: {},
  set: {},
  replace: {},
}) {}

export class EffectiveUserPreferencesInternalController extends internalTwinOf(
  EffectiveUserPreferencesController,
  'api/effective-user-preferences',
  { get: {} },
) {}
