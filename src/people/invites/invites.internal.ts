import { internalTwinOf } from '../../system/internal-surface/internal-twin.js';
import { InvitesController } from './invites.controller.js';

export class InvitesInternalController extends internalTwinOf(InvitesController, 'api/invites', {
  create: { status: 200 },
  list: { bareList: true },
  remove: {},
}) {}
