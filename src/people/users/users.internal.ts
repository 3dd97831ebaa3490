import { AS_TEXT } from '../../platform/http/problems/failure-forms.js';
import { internalTwinOf } from '../../system/internal-surface/internal-twin.js';
import { UsersController } from './users.controller.js';

const failures = { 400: AS_TEXT };

export class UsersInternalController extends internalTwinOf(UsersController, 'api/users', {
  create: { failures },
  list: { bareList: true },
  remove: { failures },
  resetPassword: { failures },
}) {}
