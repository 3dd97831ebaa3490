import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Permission, PermissionEffect } from '../../../src/access/authorization/permissions/permission.js';
import type { WebhookDto } from '../../../src/system/webhooks/webhook.dto.js';
import { WebhookPause } from '../../../src/system/webhooks/webhook.entity.js';
import { TestApp } from '../../support/application/app.js';
import { eventually } from '../../support/eventually.js';
import { addToUserGroup, at, createTenant, createUser, createUserGroup, grant, holder } from '../../support/fixtures/factories.js';
import { MailServer } from '../../support/stand-ins/mail-server.js';
import { WebhookReceiver } from '../../support/stand-ins/webhook-receiver.js';

let mailServer: MailServer;
let receiver: WebhookReceiver;
let server: TestApp;

beforeAll(async () => {
  mailServer = await MailServer.start();
  receiver = await WebhookReceiver.start();
  server = await TestApp.start({ ...mailServer.env, Service_Webhooks__AllowPrivateAddresses: 'true' });
});

afterAll(async () => {
  await server.stop();
  await receiver.stop();
  await mailServer.stop();
});

describe('a webhook that the service pauses', () => {
  it('is a mail to those who may change the settings of its tenant, once for each pause', async () => {
    const [tenant, other] = await Promise.all([createTenant(server), createTenant(server)]);
    const user = (email: string, of = tenant, values = {}) => createUser(server, { tenantId: of.id, email, ...values });
    const ann = await user('ann@webhooks.example');
    const bob = await user('bob@webhooks.example');
    const cleo = await user('cleo@webhooks.example');
    const dan = await user('dan@webhooks.example', tenant, { suspendedAt: new Date() });
    const fay = await user('fay@webhooks.example');
    const gil = await user('gil@webhooks.example', other);
    await user('eve@webhooks.example');
    const group = await createUserGroup(server, { tenantId: tenant.id });
    await addToUserGroup(server, group, bob, cleo);
    const permission = Permission.TenantSettingsWrite;
    for (const principal of [holder.user(ann), holder.userGroup(group), holder.user(dan)])
      await grant(server, { principal, permission, scope: at.tenant(tenant) });
    await grant(server, { principal: holder.user(fay), permission, scope: at.server });
    await grant(server, { principal: holder.user(cleo), permission, scope: at.tenant(tenant), effect: PermissionEffect.Deny });
    await grant(server, { principal: holder.user(gil), permission, scope: at.tenant(other) });

    const query = { tenantId: tenant.id };
    const created = await server.client().post('/api/webhooks', { query, body: { url: `${receiver.url}/secret-path`, kinds: [] } });
    const { id } = created.as<WebhookDto>();
    const act = (action: string) => server.client().post(`/api/webhooks/${id}/${action}`, { query });
    const isPaused = () =>
      eventually(
        'the service has paused the webhook',
        async () => (await server.client().get(`/api/webhooks/${id}`, { query })).as<WebhookDto>().pause === WebhookPause.Gone,
      );
    receiver.answers.set('/secret-path', (response) => response.writeHead(410).end());
    // Two attempts at once, and one mail.
    await act('test');
    await act('test');
    await isPaused();
    const mails = (count: number) => eventually(`${count} mails have come`, () => mailServer.received.length === count);
    await mails(3);
    const receivers = ['ann@webhooks.example', 'bob@webhooks.example', 'fay@webhooks.example'];
    expect(mailServer.received.flatMap(({ to }) => to).sort()).toEqual(receivers);
    const [{ source }] = mailServer.received;
    expect(source).toContain('A webhook is paused');
    expect(source).toContain(`/webhooks/${id}`);
    expect(source).toContain(`127.0.0.1:${receiver.port}`);
    expect(source).not.toContain('secret-path');

    // A pause by a person needs no mail, another one of the service does.
    await act('resume');
    await act('pause');
    await act('resume');
    await act('test');
    await isPaused();
    await mails(6);
    expect(mailServer.received.flatMap(({ to }) => to).sort()).toEqual(receivers.flatMap((each) => [each, each]));
  });
});
