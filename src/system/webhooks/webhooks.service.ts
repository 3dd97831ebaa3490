import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import type { TenantContext } from '../../access/authentication/principals/request-context.js';
import { ChangeLog, ChangeTarget } from '../../access/authorization/change-log/change-log.js';
import { AuthorizationService } from '../../access/authorization/evaluation/authorization.service.js';
import type { Rights } from '../../access/authorization/evaluation/rights.js';
import { EventKind } from '../../access/authorization/event-log/event-kinds.js';
import { Permission } from '../../access/authorization/permissions/permission.js';
import { conflict, forbidden, invalid, invalidField, notFound } from '../../platform/common/errors/errors.js';
import { newGuid } from '../../platform/common/identifiers/guid.js';
import { TaggedState, type ExpectedTags } from '../../platform/common/resources/entity-tag.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import { UnitOfWork, type InTransaction } from '../../platform/database/queries/unit-of-work.js';
import { TenantsService } from '../../tenants/tenants/tenants.service.js';
import { WebhookDeliverer } from './webhook-deliverer.js';
import {
  MAXIMUM_WEBHOOKS,
  WebhookDeliveryState,
  type WebhookDeliveryDto,
  type WebhookDeliveriesQueryDto,
  type WebhookDto,
  type WebhookRequestDto,
  type WebhookWithSecretDto,
} from './webhook.dto.js';
import { Webhook, WebhookDelivery, WebhookPause } from './webhook.entity.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { WebhookSender } from './webhook-sender.js';
import { type LastDelivery, WebhooksRepository } from './webhooks.repository.js';

type Tx = InTransaction<TenantContext>;

const KINDS: readonly string[] = Object.values(EventKind);
const WEBHOOK = 'The webhook';
/** Time for which a replaced secret stays valid, in milliseconds. */
const FORMER_SECRET_MS = 24 * 60 * 60 * 1000;

/** The editable state of a webhook. */
export const webhookState = new TaggedState(({ url, kinds }: Pick<Webhook, 'url' | 'kinds'>) => ({ url, kinds }));

/** Webhooks of tenants: addresses to which their events are sent. */
@Injectable()
export class WebhooksService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly repository: WebhooksRepository,
    private readonly tenants: TenantsService,
    private readonly authorization: AuthorizationService,
    private readonly changeLog: ChangeLog,
    private readonly sender: WebhookSender,
    private readonly secrets: WebhookSecrets,
    private readonly deliverer: WebhookDeliverer,
    private readonly clock: Clock,
  ) {}

  /** The webhooks of the tenant. */
  async list({ manager, tenantId }: TenantContext): Promise<WebhookDto[]> {
    return this.dtosOf(manager, await this.repository.list(manager, tenantId));
  }

  /** One webhook; 404 when the tenant has none with this id. */
  async get({ manager, tenantId }: TenantContext, id: string): Promise<WebhookDto> {
    const webhook = await manager.findOneBy(Webhook, { tenantId, id });
    if (webhook === null) throw notFound(WEBHOOK);
    return (await this.dtosOf(manager, [webhook]))[0];
  }

  /** Creates a webhook for the events from now on. 400 for an address that is not public, and when the tenant has as many as it may. */
  async create(context: TenantContext, request: WebhookRequestDto): Promise<WebhookWithSecretDto> {
    await this.requireRights(context);
    const { url, kinds } = await this.checked(request);
    return this.unitOfWork.run(context, async (tx) => {
      await this.tenants.hold(tx, tx.tenantId);
      const webhooks = await this.repository.holdList(tx.manager, tx.tenantId);
      await this.confirmRights(tx);
      if (webhooks.length >= MAXIMUM_WEBHOOKS) throw invalid(`A tenant can have at most ${MAXIMUM_WEBHOOKS} webhooks. Delete one first.`);
      const lastNumber = await this.repository.newestNumber(tx.manager, tx.tenantId);
      const isNew = { secretVersion: 1, formerSecretUntil: null, pause: null, pausedAt: null, lastNumber };
      const webhook: Webhook = { id: newGuid(), tenantId: tx.tenantId, createdAt: this.clock.now(), url, kinds, ...isNew };
      await tx.manager.insert(Webhook, webhook);
      await this.log(tx, 'webhook-created', webhook.id, undefined, stateOf(webhook));
      return { ...dtoOf(webhook, undefined), secret: this.secrets.of(webhook) };
    });
  }

  /** Changes address and kinds. 412 when the webhook is in no expected state. */
  async update(context: TenantContext, id: string, request: WebhookRequestDto, expected?: ExpectedTags): Promise<WebhookDto> {
    await this.requireRights(context);
    const wanted = await this.checked(request);
    return this.change(context, id, 'webhook-updated', async (webhook, tx) => {
      await this.confirmRights(tx);
      webhookState.require(expected, webhook);
      return wanted;
    });
  }

  /** Deletes a webhook with its deliveries. 412 when it is in no expected state. */
  async remove(context: TenantContext, id: string, expected?: ExpectedTags): Promise<void> {
    await this.unitOfWork.run(context, async (tx) => {
      const webhook = await this.held(tx, id);
      webhookState.require(expected, webhook);
      await tx.manager.delete(Webhook, { id, tenantId: tx.tenantId });
      await this.log(tx, 'webhook-deleted', id, stateOf(webhook), undefined);
    });
  }

  /** Gives a webhook another secret; the one before stays valid for a day. */
  async replaceSecret(context: TenantContext, id: string): Promise<WebhookWithSecretDto> {
    let source = { id, secretVersion: 0 };
    const webhook = await this.change(context, id, 'webhook-secret-replaced', async ({ secretVersion }, tx) => {
      await this.confirmRights(tx);
      source = { id, secretVersion: secretVersion + 1 };
      return { secretVersion: secretVersion + 1, formerSecretUntil: new Date(this.clock.milliseconds() + FORMER_SECRET_MS) };
    });
    return { ...webhook, secret: this.secrets.of(source) };
  }

  /** Sends nothing until it is resumed. Events wait as long as they are kept. */
  pause(context: TenantContext, id: string): Promise<WebhookDto> {
    return this.change(context, id, 'webhook-paused', ({ pause, pausedAt }) =>
      pause === null ? { pause: WebhookPause.ByCaller, pausedAt: this.clock.now() } : { pause, pausedAt },
    );
  }

  /** Sends what has waited, and what comes. */
  async resume(context: TenantContext, id: string): Promise<WebhookDto> {
    const webhook = await this.change(context, id, 'webhook-resumed', async (_webhook, tx) => {
      await this.confirmRights(tx);
      return { pause: null, pausedAt: null };
    });
    this.deliverer.look();
    return webhook;
  }

  /** Sends a test. 409 while the webhook is paused. */
  async test(context: TenantContext, id: string): Promise<WebhookDeliveryDto> {
    const body = JSON.stringify({ type: 'test', timestamp: this.clock.now(), data: { tenantId: context.tenantId, webhookId: id } });
    return this.send(context, id, () => Promise.resolve({ messageId: `test-${newGuid()}`, kind: 'test', body }));
  }

  /** Sends a delivery once more, as one of its own. 409 while the webhook is paused. */
  async redeliver(context: TenantContext, id: string, deliveryId: string): Promise<WebhookDeliveryDto> {
    return this.send(context, id, async (tx) => {
      await this.confirmRights(tx);
      const former = await tx.manager.findOneBy(WebhookDelivery, { id: deliveryId, webhookId: id });
      if (former === null) throw notFound('The delivery');
      const { messageId, kind, body } = former;
      return { messageId, kind, body };
    });
  }

  /** Deliveries of a webhook, the newest first. 404 when the tenant has no such webhook, 403 for a caller who may not read its events. */
  async deliveries(context: TenantContext, id: string, { before, limit }: WebhookDeliveriesQueryDto): Promise<WebhookDeliveryDto[]> {
    await this.get(context, id);
    await this.requireRights(context);
    return (await this.repository.deliveries(context.manager, id, before, limit)).map(deliveryOf);
  }

  private async send(
    context: TenantContext,
    id: string,
    what: (tx: Tx) => Promise<Pick<WebhookDelivery, 'messageId' | 'kind' | 'body'>>,
  ): Promise<WebhookDeliveryDto> {
    const delivery = await this.unitOfWork.run(context, async (tx) => {
      const { pause } = await this.held(tx, id);
      const sent = { id: newGuid(), webhookId: id, ...(await what(tx)) };
      if (pause !== null) throw conflict('The webhook is paused. Resume it first.');
      await this.repository.insertDeliveries(tx.manager, [sent]);
      return tx.manager.findOneByOrFail(WebhookDelivery, { id: sent.id });
    });
    this.deliverer.look();
    return deliveryOf(delivery);
  }

  private async change(
    context: TenantContext,
    id: string,
    action: string,
    decide: (webhook: Webhook, tx: Tx) => Partial<Webhook> | Promise<Partial<Webhook>>,
  ): Promise<WebhookDto> {
    return this.unitOfWork.run(context, async (tx) => {
      const webhook = await this.held(tx, id);
      const changed = { ...webhook, ...(await decide(webhook, tx)) };
      const { url, kinds, secretVersion, formerSecretUntil, pause, pausedAt } = changed;
      await tx.manager.update(Webhook, { id, tenantId: tx.tenantId }, { url, kinds, secretVersion, formerSecretUntil, pause, pausedAt });
      await this.log(tx, action, id, stateOf(webhook), stateOf(changed));
      return (await this.dtosOf(tx.manager, [changed]))[0];
    });
  }

  private async dtosOf(manager: EntityManager, webhooks: readonly Webhook[]): Promise<WebhookDto[]> {
    const last = await this.repository.lastDeliveries(manager, webhooks);
    return webhooks.map((webhook) => dtoOf(webhook, last.get(webhook.id)));
  }

  private async held(tx: Tx, id: string): Promise<Webhook> {
    const webhook = await this.repository.hold(tx.manager, tx.tenantId, id);
    if (webhook === null) throw notFound(WEBHOOK);
    return webhook;
  }

  /** A webhook gets events of the whole tenant: who decides where they go, or reads what it got, must be allowed to read them. */
  private async requireRights({ principal, tenantId }: TenantContext, rights: Rights = this.authorization): Promise<void> {
    for (const permission of [Permission.TenantEventsRead, Permission.DeviceRead]) {
      if (await rights.isAllowed(principal, permission, { kind: 'Tenant', tenantId })) continue;
      throw forbidden(`The permission ${permission.name} on the tenant is required: webhooks get events of all its devices.`);
    }
  }

  /** The same for a change, whose caller may have lost the rights while it waited. */
  private confirmRights(tx: Tx): Promise<void> {
    return this.requireRights(tx, this.authorization.storedRights(tx.manager));
  }

  private async checked({ url, kinds }: WebhookRequestDto): Promise<Pick<Webhook, 'url' | 'kinds'>> {
    const unknown = kinds.find((kind) => !KINDS.includes(kind));
    if (unknown !== undefined) throw invalidField('kinds', `kinds must be some of ${KINDS.join(', ')}.`);
    const refusal = await this.sender.refusalOf(url);
    if (refusal !== null) throw invalidField('url', `The URL ${refusal}.`);
    return { url, kinds: [...new Set(kinds)] };
  }

  private log(tx: Tx, action: string, targetId: string, before: object | undefined, after: object | undefined): Promise<void> {
    return this.changeLog.write(tx, { action, target: ChangeTarget.Webhook, targetId, tenantId: tx.tenantId, before, after });
  }
}

/** A webhook as the change log shows it. */
function stateOf({ url, kinds, pause, secretVersion }: Pick<Webhook, 'url' | 'kinds' | 'pause' | 'secretVersion'>): object {
  return { name: url, kinds, pause, secretVersion };
}

function dtoOf(webhook: Webhook, last: LastDelivery | undefined): WebhookDto {
  const { id, createdAt, url, kinds, pause, pausedAt, formerSecretUntil } = webhook;
  const lastDelivery =
    last === undefined
      ? null
      : { createdAt: last.createdAt, state: stateOfDelivery(last), lastStatus: last.lastStatus, lastError: last.lastError };
  return { id, createdAt, url, kinds, pause, pausedAt, formerSecretUntil, lastDelivery };
}

function stateOfDelivery({ deliveredAt, nextAttemptAt }: Pick<WebhookDelivery, 'deliveredAt' | 'nextAttemptAt'>): WebhookDeliveryState {
  if (deliveredAt !== null) return WebhookDeliveryState.Delivered;
  return nextAttemptAt === null ? WebhookDeliveryState.Failed : WebhookDeliveryState.Waiting;
}

function deliveryOf(delivery: WebhookDelivery): WebhookDeliveryDto {
  const { id, createdAt, messageId, kind, attempts, lastAttemptAt, nextAttemptAt, lastStatus, lastError, lastMilliseconds, body } =
    delivery;
  const state = stateOfDelivery(delivery);
  return { id, createdAt, messageId, kind, state, attempts, lastAttemptAt, nextAttemptAt, lastStatus, lastError, lastMilliseconds, body };
}
