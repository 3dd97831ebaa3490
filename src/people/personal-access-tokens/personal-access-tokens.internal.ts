import { AS_TEXT } from '../../platform/http/problems/failure-forms.js';
import { internalTwinOf } from '../../system/internal-surface/internal-twin.js';
import { PersonalAccessTokensController } from './personal-access-tokens.controller.js';

/** An unknown token counts as a bad request. */
const failures = { 400: AS_TEXT, 404: { status: 400, body: 'text' } } as const;

export class PersonalAccessTokensInternalController extends internalTwinOf(PersonalAccessTokensController, 'api/personal-access-tokens', {
  create: { status: 200, failures: { 400: AS_TEXT } },
  list: { bareList: true },
  rename: { failures },
  remove: { status: 200, failures },
}) {}
