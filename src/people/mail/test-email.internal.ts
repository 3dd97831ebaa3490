import { AS_TEXT } from '../../platform/http/problems/failure-forms.js';
import { internalTwinOf } from '../../system/internal-surface/internal-twin.js';
import { TestEmailController } from './test-email.controller.js';

export class TestEmailInternalController extends internalTwinOf(TestEmailController, 'api/test-email', {
  send: { failures: { 400: AS_TEXT, 409: { status: 400, body: 'text' } } },
}) {}
