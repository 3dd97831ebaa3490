import { AS_TEXT, WITHOUT_BODY } from '../../platform/http/problems/failure-forms.js';
import { internalTwinOf } from '../../system/internal-surface/internal-twin.js';
import { UsersController } from './users.controller.js';

const failures = { 400: AS_TEXT, 404: WITHOUT_BODY };

export class UsersInternalController extends internalTwinOf(UsersController, 'api/users', {
  create: { failures: { 400: AS_TEXT } },
  list: { bareList: true },
  remove: { failures },
  resetPassword: { failures },
}) {}
