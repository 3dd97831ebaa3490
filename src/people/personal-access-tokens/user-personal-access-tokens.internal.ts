import { AS_TEXT } from '../../platform/http/problems/failure-forms.js';
import { internalTwinOf } from '../../system/internal-surface/internal-twin.js';
import { UserPersonalAccessTokensController } from './user-personal-access-tokens.controller.js';

const failures = { 400: AS_TEXT };

export class UserPersonalAccessTokensInternalController extends internalTwinOf(
  UserPersonalAccessTokensController,
  'api/users/:userId/personal-access-tokens',
  {
    create: { status: 200, failures },
    list: { bareList: true },
    rename: { failures },
    remove: { failures },
  },
) {}
