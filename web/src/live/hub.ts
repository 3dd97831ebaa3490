import type { HubConnection, IRetryPolicy } from '@microsoft/signalr';

import type { Arguments, HubResult, Result, viewerClient, viewerHub } from '#libs/contracts';

import { hooks } from '../api/client.js';
import { queryClient } from '../api/queries.js';
import { missingOnDevice } from '../problem/missing.js';
import { ProblemError } from '../problem/problem.js';
import { listenersOf, store } from '../state/store.js';
import { HubLine, type HubState } from './hub-line.js';
import type { PermissionName } from '../model/permissions/names.js';

/*
 * One hub connection for the whole page. It starts with the first page that needs it, and comes back by itself after every loss, for as
 * long as a user is signed in.
 */

export type ViewerMethods = typeof viewerHub;
export type MethodName = keyof ViewerMethods;
export type Pushes = typeof viewerClient;
export type PushName = keyof Pushes;

const SECOND = 1000;
/** A connection on which nothing arrives for this time counts as lost. */
const SILENT_FOR = 30 * SECOND;
/** A hidden page with nothing running ends its connection after this time. */
const HIDDEN_FOR = 300 * SECOND;

type PushHandler = (...args: never[]) => unknown;

let line: HubLine<HubConnection> | null = null;
/** State of the connection. */
export const hubState = store<HubState>({ kind: 'idle' }, () => stopHub());
/** Time of the connection's last loss, in milliseconds; null before the first loss. */
let lostAt: number | null = null;
/** The connection was ended because the page was hidden for long. It is made again when the page is visible. */
let isWantedWhenSeen = false;
const back = listenersOf();
const handlers = new Map<PushName, Set<PushHandler>>();
const keepers = new Set<object>();

const PUSHES: readonly PushName[] = [
  'InvokeToast',
  'ReceiveChatResponse',
  'ReceiveDeviceUpdate',
  'ReceiveServerStats',
  'ReceiveTerminalOutput',
];

function become(next: HubState): void {
  if (hubState.get().kind === 'live' && next.kind !== 'live') lostAt = Date.now();
  hubState.set(next);
}

/** Time until which pages were live, in milliseconds, while they are not; null where they have not been yet. */
export const liveUntil = (): number | null => lostAt;

/** Time until which the page was live, in milliseconds, while it is not any more; null while it is, and before it was. */
export function useOutage(): number | null {
  const { kind } = hubState.useValue();
  return kind === 'live' || kind === 'idle' ? null : lostAt;
}

/** Calls back whenever the connection has come back after a loss: subscriptions and terminals are bound to the old one. */
export const onHubBack = back.add;

/** Calls back with the server's pushes. A chat message counts as shown if one of the handlers answers true. */
export function onPush<K extends PushName>(name: K, handler: (...args: Arguments<Pushes[K]>) => unknown): () => void {
  const set = handlers.get(name) ?? new Set();
  handlers.set(name, set.add(handler));
  return () => set.delete(handler);
}

/** Keeps the connection of a hidden page: something runs over it. Returns the release. */
export function keepHub(): () => void {
  const keeper = {};
  keepers.add(keeper);
  return () => keepers.delete(keeper);
}

/** Makes the connection. Its library is loaded now, after the first rows are on the screen. */
async function build(retryPolicy: IRetryPolicy): Promise<HubConnection> {
  const { HubConnectionBuilder, LogLevel } = await import('@microsoft/signalr');
  const connection = new HubConnectionBuilder()
    .withUrl('/hubs/viewer')
    .withAutomaticReconnect(retryPolicy)
    // A short loss of the connection costs nothing: messages sent during it arrive.
    .withStatefulReconnect()
    .withServerTimeout(SILENT_FOR)
    .configureLogging(LogLevel.None)
    .build();
  for (const name of PUSHES) {
    connection.on(name, (...args: never[]) => {
      // Each chat takes the messages of its own conversation, and declines those of others.
      const answers = [...(handlers.get(name) ?? [])].map((handler) => handler(...args));
      return name === 'ReceiveChatResponse' ? answers.includes(true) : undefined;
    });
  }
  return connection;
}

function openLine(): HubLine<HubConnection> {
  return new HubLine({ build, onState: become, onBack: back.call, onDoubt: askSession });
}

/** The line of the signed-in user, opened if there is none yet; null after the sign-out, when the service would refuse every attempt. */
function lineOfUser(): HubLine<HubConnection> | null {
  if (hooks.tenantId !== null) line ??= openLine();
  return line;
}

/**
 * Reads who is signed in. If nobody is any more, that asks to sign in again at once instead of at the next request; if another user is, it
 * loads the page for them. A failed read changes nothing: the line tries to come back.
 */
function askSession(): void {
  if (navigator.onLine) void queryClient.refetchQueries({ queryKey: ['session'] });
}

/**
 * Connects, if the page is not connected already. Settles once it is, however long that takes, or when the connection is ended; at once if
 * nobody is signed in.
 */
export async function startHub(): Promise<void> {
  await lineOfUser()?.connected();
}

/** Ends the connection: at the sign-out, and when a hidden page keeps nothing running. */
async function stopHub(): Promise<void> {
  const ended = line;
  line = null;
  become({ kind: 'idle' });
  await ended?.end();
}

/** Tries again now: the network is back, the user looks at the page, or pressed "Now". */
export async function reconnectNow(): Promise<void> {
  await line?.tryNow();
}

/** The connection itself, once it is there. */
async function liveConnection(): Promise<HubConnection> {
  const connection = (await lineOfUser()?.connected()) ?? null;
  if (connection === null) throw new ProblemError(0, { title: 'Not connected.' });
  return connection;
}

/**
 * Calls a method of the hub and waits for the connection first. Throws a problem if the service failed, else the error that ended the
 * connection.
 */
export async function invoke<K extends MethodName>(method: K, ...args: Arguments<ViewerMethods[K]>): Promise<Result<ViewerMethods[K]>> {
  const connection = await liveConnection();
  try {
    return await connection.invoke<Result<ViewerMethods[K]>>(method, ...args);
  } catch (error) {
    // The library throws the same for both. While the connection is there, it cannot be the cause.
    if (hubState.get().kind === 'live' && error instanceof Error) throw new ProblemError(500, { detail: error.message });
    throw error;
  }
}

/** Calls a method whose effect ends with the connection anyway: without one there is nothing to do. */
export async function invokeIfLive<K extends MethodName>(method: K, ...args: Arguments<ViewerMethods[K]>): Promise<void> {
  if (hubState.get().kind !== 'live') return;
  const connection = await line?.connected();
  await connection?.invoke(method, ...args).catch(() => undefined);
}

/** The reason of a refused check. */
const REFUSED = 'Forbidden.';

/** True if a hub call failed because of a missing permission. */
export const isRefused = ({ isSuccess, reason }: HubResult): boolean => !isSuccess && reason === REFUSED;

/**
 * Throws the failure of a hub call as a problem, so that pages show it like any other refusal. A refused check says no more than that: the
 * permission that the method asks for, and the device, are known here.
 */
export function expectSuccess<R extends HubResult>(result: R, permission: PermissionName, deviceId: string): R {
  if (result.isSuccess) return result;
  throw isRefused(result) ? missingOnDevice(permission, deviceId) : new ProblemError(409, { detail: result.reason ?? undefined });
}

let hiddenTimer: ReturnType<typeof setTimeout> | undefined;

/** Follows the network and the visibility of the page. Returns a function that ends this. */
export function watchPage(): () => void {
  const onOnline = (): void => void reconnectNow();
  addEventListener('online', onOnline);
  document.addEventListener('visibilitychange', onVisibility);
  return () => {
    removeEventListener('online', onOnline);
    document.removeEventListener('visibilitychange', onVisibility);
    clearTimeout(hiddenTimer);
  };
}

function onVisibility(): void {
  clearTimeout(hiddenTimer);
  if (document.visibilityState === 'visible') {
    // What was subscribed to before, and its state, is asked for again as after any other loss.
    if (isWantedWhenSeen) void startHub().then(back.call);
    else void reconnectNow();
    isWantedWhenSeen = false;
  } else if (keepers.size === 0) {
    hiddenTimer = setTimeout(() => {
      if (keepers.size > 0) return;
      isWantedWhenSeen = line !== null;
      void stopHub();
    }, HIDDEN_FOR);
  }
}
