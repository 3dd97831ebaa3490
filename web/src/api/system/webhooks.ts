import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';

import { api, bodyOf, type Schemas } from '../client.js';
import { mutation } from '../mutation.js';
import { queryClient } from '../queries.js';
import { ifMatch, versionOf } from '../versioned.js';
import type { Versioned } from '../../state/versioned.js';

export type Webhook = Schemas['WebhookDto'];
export type WebhookValues = Schemas['WebhookRequestDto'];
export type Delivery = Schemas['WebhookDeliveryDto'];

const PAGE_SIZE = 50;
/** Interval at which deliveries are read while some are under way, in milliseconds. */
const WHILE_WAITING_MS = 3_000;

const CHANGES = ['webhooks'] as const;
const at = (webhookId: string) => ({ params: { path: { webhookId } } });

/** The webhooks of the tenant. */
export const webhooksQuery = queryOptions({
  queryKey: ['webhooks', 'list'],
  queryFn: async ({ signal }) => (await bodyOf(api.GET('/api/webhooks', { signal }))).items,
  staleTime: 0,
});

/** A webhook with the tag of its state. */
export const readWebhook = (webhookId: string, signal?: AbortSignal): Promise<Versioned<Webhook>> =>
  versionOf(api.GET('/api/webhooks/{webhookId}', { ...at(webhookId), signal }));

/** One webhook. */
export const webhookQuery = (webhookId: string) =>
  queryOptions({
    queryKey: ['webhooks', 'one', webhookId],
    queryFn: async ({ signal }) => (await readWebhook(webhookId, signal)).value,
    staleTime: 0,
  });

/** The deliveries of a webhook page by page, newest first; read again while some are under way. */
export const deliveriesQuery = (webhookId: string) =>
  infiniteQueryOptions({
    queryKey: ['webhooks', 'deliveries', webhookId],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam: before, signal }) => {
      const params = { path: { webhookId }, query: { before, limit: PAGE_SIZE } };
      return (await bodyOf(api.GET('/api/webhooks/{webhookId}/deliveries', { params, signal }))).items;
    },
    getNextPageParam: (page) => (page.length < PAGE_SIZE ? undefined : page.at(-1)?.id),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.pages.flat().some(isWaiting) === true ? WHILE_WAITING_MS : false),
  });

const isWaiting = ({ state }: Delivery): boolean => state === 'Waiting';

/** Creates a webhook; the answer holds its secret, this once. */
export const createWebhook = mutation(CHANGES, (body: WebhookValues) => bodyOf(api.POST('/api/webhooks', { body })));

/** Changes address and kinds, if the webhook still has the state with the tag; null is for any. */
export const updateWebhook = mutation(CHANGES, (webhookId: string, body: WebhookValues, tag: string | null) =>
  versionOf(api.PUT('/api/webhooks/{webhookId}', { ...at(webhookId), body, headers: ifMatch(tag) })),
);

/** Deletes a webhook. Only the list is read again: a page of the webhook would ask for what is gone. */
export const deleteWebhook = mutation([], async (webhookId: string, tag: string | null) => {
  await api.DELETE('/api/webhooks/{webhookId}', { ...at(webhookId), headers: ifMatch(tag) });
  void queryClient.invalidateQueries({ queryKey: webhooksQuery.queryKey });
});

/** Gives a webhook another secret, and returns it, this once. */
export const replaceSecret = mutation(
  CHANGES,
  async (webhookId: string) => (await bodyOf(api.POST('/api/webhooks/{webhookId}/secret', at(webhookId)))).secret,
);

export const pauseWebhook = mutation(CHANGES, (webhookId: string) => bodyOf(api.POST('/api/webhooks/{webhookId}/pause', at(webhookId))));

export const resumeWebhook = mutation(CHANGES, (webhookId: string) => bodyOf(api.POST('/api/webhooks/{webhookId}/resume', at(webhookId))));

export const testWebhook = mutation(CHANGES, (webhookId: string) => bodyOf(api.POST('/api/webhooks/{webhookId}/test', at(webhookId))));

/** Sends a delivery once more. */
export const redeliver = mutation(CHANGES, (webhookId: string, deliveryId: string) =>
  bodyOf(api.POST('/api/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver', { params: { path: { webhookId, deliveryId } } })),
);
