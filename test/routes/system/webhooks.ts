import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { about, answering } from '../calls.js';
import type { MakeCall, Resource } from '../resource.js';

/* Receivers are on the local host, where the service refuses to connect: nothing leaves this machine. */

const WRITERS = { access: 'tenant.settings.write on tenant', tenant: 'query or caller' } as const;
const READS_ALL = [Permission.TenantEventsRead, Permission.DeviceRead];
const onWebhook = about('webhookId', (scene) => scene.webhook());
/** No call of these tests causes such an event. */
const body = (): object => ({ url: 'https://8.8.8.8/hook', kinds: ['session.ended'] });

const readingAll =
  (make: MakeCall): MakeCall =>
  async (scene) => ({ ...(await make(scene)), also: READS_ALL });

/** The routes about webhooks. */
export const webhooks: Resource = {
  routes: {
    'GET /api/webhooks': { ...WRITERS, call: answering(200) },
    'GET /api/webhooks/:webhookId': { ...WRITERS, tagged: [200], call: onWebhook(200) },
    'POST /api/webhooks': {
      ...WRITERS,
      tagged: [201],
      call: async (scene) => {
        await scene.roomForWebhook();
        return { status: 201, body: body(), also: READS_ALL };
      },
      writes: ['webhook-created'],
    },
    'PUT /api/webhooks/:webhookId': {
      ...WRITERS,
      tagged: [200],
      ifMatch: 'GET /api/webhooks/:webhookId',
      call: readingAll(onWebhook(200, body)),
      writes: ['webhook-updated'],
    },
    'DELETE /api/webhooks/:webhookId': {
      ...WRITERS,
      ifMatch: 'GET /api/webhooks/:webhookId',
      call: onWebhook(204),
      writes: ['webhook-deleted'],
    },
    'POST /api/webhooks/:webhookId/secret': { ...WRITERS, call: readingAll(onWebhook(200)), writes: ['webhook-secret-replaced'] },
    'POST /api/webhooks/:webhookId/pause': { ...WRITERS, call: onWebhook(200), writes: ['webhook-paused'] },
    'POST /api/webhooks/:webhookId/resume': { ...WRITERS, call: readingAll(onWebhook(200)), writes: ['webhook-resumed'] },
    'POST /api/webhooks/:webhookId/test': { ...WRITERS, call: onWebhook(202) },
    'GET /api/webhooks/:webhookId/deliveries': { ...WRITERS, call: readingAll(onWebhook(200)) },
    'POST /api/webhooks/:webhookId/deliveries/:deliveryId/redeliver': {
      ...WRITERS,
      call: async (scene) => {
        const { id: deliveryId, webhookId } = await scene.webhookDelivery();
        return { status: 202, path: { webhookId, deliveryId }, also: READS_ALL };
      },
    },
  },
};
