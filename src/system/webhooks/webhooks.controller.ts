import { Body, Controller, Delete, Get, HttpCode, Post, Put, Query } from '@nestjs/common';

import { Context, type TenantContext } from '../../access/authentication/principals/request-context.js';
import { RequireAccess, TenantInQueryOrOfCaller } from '../../access/authorization/guard/access.js';
import { Permission } from '../../access/authorization/permissions/permission.js';
import type { ExpectedTags } from '../../platform/common/resources/entity-tag.js';
import { LocatedAt } from '../../platform/http/addresses/created-location.js';
import { GuidParam } from '../../platform/http/binding/route-parameters.js';
import { IfMatch, Tagged } from '../../platform/http/bodies/entity-tags.js';
import { Answers, Describe, Group } from '../openapi/operation.js';
import {
  WebhookDeliveriesQueryDto,
  WebhookDeliveriesResponseDto,
  WebhookDeliveryDto,
  WebhookDto,
  WebhookRequestDto,
  WebhooksResponseDto,
  WebhookWithSecretDto,
} from './webhook.dto.js';
import { webhookState, WebhooksService } from './webhooks.service.js';

const ID = 'Id of the webhook.';
const UNKNOWN = 'The tenant has no such webhook.';
const PAUSED = 'The webhook is paused.';
const READS_ALL = 'The caller also needs `tenant.events.read` and `device.read` on the tenant, because a webhook gets all its events.';

@Group('Webhooks')
@TenantInQueryOrOfCaller()
@Controller('api/webhooks')
export class WebhooksController {
  constructor(private readonly webhooks: WebhooksService) {}

  @Get()
  @RequireAccess(Permission.TenantSettingsWrite)
  @Describe('List the webhooks', 'A tenant can have 20.')
  @Answers(200, 'The webhooks of the tenant.', WebhooksResponseDto)
  async list(@Context() context: TenantContext): Promise<WebhooksResponseDto> {
    return { items: await this.webhooks.list(context) };
  }

  @Get(':webhookId')
  @Tagged(webhookState)
  @RequireAccess(Permission.TenantSettingsWrite)
  @Describe('Get a webhook', 'Its secret is not shown again.')
  @Answers(200, 'The webhook.', WebhookDto, { 404: UNKNOWN })
  get(@Context() context: TenantContext, @GuidParam('webhookId', ID) webhookId: string): Promise<WebhookDto> {
    return this.webhooks.get(context, webhookId);
  }

  @Post()
  @Tagged(webhookState)
  @RequireAccess(Permission.TenantSettingsWrite)
  @LocatedAt('/api/webhooks/{id}?tenantId={tenantId}')
  @Describe('Create a webhook', `Events from now on are sent to it. ${READS_ALL}`)
  @Answers(201, 'The webhook with its secret, which is shown this once.', WebhookWithSecretDto)
  create(@Context() context: TenantContext, @Body() body: WebhookRequestDto): Promise<WebhookWithSecretDto> {
    return this.webhooks.create(context, body);
  }

  @Put(':webhookId')
  @Tagged(webhookState)
  @RequireAccess(Permission.TenantSettingsWrite)
  @Describe('Change a webhook', `Its address and its kinds of events. ${READS_ALL}`)
  @Answers(200, 'The webhook as it is now.', WebhookDto, { 404: UNKNOWN })
  update(
    @Context() context: TenantContext,
    @GuidParam('webhookId', ID) webhookId: string,
    @Body() body: WebhookRequestDto,
    @IfMatch() expected: ExpectedTags | undefined,
  ): Promise<WebhookDto> {
    return this.webhooks.update(context, webhookId, body, expected);
  }

  @Delete(':webhookId')
  @HttpCode(204)
  @RequireAccess(Permission.TenantSettingsWrite)
  @Describe('Delete a webhook', 'Its deliveries are deleted with it.')
  @Answers(204, 'The webhook is gone.', null, { 404: UNKNOWN })
  remove(
    @Context() context: TenantContext,
    @GuidParam('webhookId', ID) webhookId: string,
    @IfMatch() expected: ExpectedTags | undefined,
  ): Promise<void> {
    return this.webhooks.remove(context, webhookId, expected);
  }

  @Post(':webhookId/secret')
  @HttpCode(200)
  @RequireAccess(Permission.TenantSettingsWrite)
  @Describe('Replace the secret', `For 24 hours deliveries are signed with both secrets. ${READS_ALL}`)
  @Answers(200, 'The webhook with its new secret, which is shown this once.', WebhookWithSecretDto, { 404: UNKNOWN })
  replaceSecret(@Context() context: TenantContext, @GuidParam('webhookId', ID) webhookId: string): Promise<WebhookWithSecretDto> {
    return this.webhooks.replaceSecret(context, webhookId);
  }

  @Post(':webhookId/pause')
  @HttpCode(200)
  @RequireAccess(Permission.TenantSettingsWrite)
  @Describe('Pause a webhook', 'Nothing is sent until it is resumed. Events wait as long as they are kept.')
  @Answers(200, 'The webhook as it is now.', WebhookDto, { 404: UNKNOWN })
  pause(@Context() context: TenantContext, @GuidParam('webhookId', ID) webhookId: string): Promise<WebhookDto> {
    return this.webhooks.pause(context, webhookId);
  }

  @Post(':webhookId/resume')
  @HttpCode(200)
  @RequireAccess(Permission.TenantSettingsWrite)
  @Describe('Resume a webhook', `Sends the events that have waited. ${READS_ALL}`)
  @Answers(200, 'The webhook as it is now.', WebhookDto, { 404: UNKNOWN })
  resume(@Context() context: TenantContext, @GuidParam('webhookId', ID) webhookId: string): Promise<WebhookDto> {
    return this.webhooks.resume(context, webhookId);
  }

  @Post(':webhookId/test')
  @HttpCode(202)
  @RequireAccess(Permission.TenantSettingsWrite)
  @Describe('Send a test', 'A delivery of the kind `test`.')
  @Answers(202, 'The delivery, which is sent now.', WebhookDeliveryDto, { 404: UNKNOWN, 409: PAUSED })
  test(@Context() context: TenantContext, @GuidParam('webhookId', ID) webhookId: string): Promise<WebhookDeliveryDto> {
    return this.webhooks.test(context, webhookId);
  }

  @Get(':webhookId/deliveries')
  @RequireAccess(Permission.TenantSettingsWrite)
  @Describe(
    'List the deliveries',
    `Those of the last seven days, the newest first; \`before\` asks for the page that follows a delivery. ${READS_ALL}`,
  )
  @Answers(200, 'A page of the deliveries.', WebhookDeliveriesResponseDto, { 404: UNKNOWN })
  async deliveries(
    @Context() context: TenantContext,
    @GuidParam('webhookId', ID) webhookId: string,
    @Query() query: WebhookDeliveriesQueryDto,
  ): Promise<WebhookDeliveriesResponseDto> {
    return { items: await this.webhooks.deliveries(context, webhookId, query) };
  }

  @Post(':webhookId/deliveries/:deliveryId/redeliver')
  @HttpCode(202)
  @RequireAccess(Permission.TenantSettingsWrite)
  @Describe('Send a delivery again', `As a new delivery with the same \`webhook-id\` and body. ${READS_ALL}`)
  @Answers(202, 'The new delivery, which is sent now.', WebhookDeliveryDto, {
    404: 'The tenant has no such webhook or delivery.',
    409: PAUSED,
  })
  redeliver(
    @Context() context: TenantContext,
    @GuidParam('webhookId', ID) webhookId: string,
    @GuidParam('deliveryId', 'Id of the delivery.') deliveryId: string,
  ): Promise<WebhookDeliveryDto> {
    return this.webhooks.redeliver(context, webhookId, deliveryId);
  }
}
