import type { HubConnection, IRetryPolicy } from '@microsoft/signalr';

import type { Arguments, HubResult, Result, viewerClient, viewerHub } from '#libs/contracts';

import { missingOnDevice, ProblemError } from '../api/problem.js';

/*
 * One hub connection for the whole page. It starts with the first page that needs it, and comes back by itself after every loss, for as long
 * as somebody is signed in.
 */

export type ViewerMethods = typeof viewerHub;
export type MethodName = keyof ViewerMethods;
export type Pushes = typeof viewerClient;
export type PushName = keyof Pushes;

/** How the connection is, as the pill in the top bar shows it. */
export type HubState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  /** Lost; the next attempt is due at `retryAt` (milliseconds). */
  | { readonly kind: 'reconnecting'; readonly retryAt: number }
  | { readonly kind: 'offline' };

const SECOND = 1000;
const FIRST_DELAY = SECOND;
const LONGEST_DELAY = 30 * SECOND;
/** Attempts spread by this share, so that the pages of a company do not all come back at once. */
const SPREAD = 0.3;
/** A hidden page that keeps nothing running lets its connection go after this time. */
const HIDDEN_FOR = 300 * SECOND;

type PushHandler = (...args: never[]) => unknown;

let connection: Promise<HubConnection> | null = null;
let started: Promise<void> | null = null;
let isWanted = false;
/** The page was connected when it was hidden. */
let isWantedWhenSeen = false;
let state: HubState = { kind: 'idle' };
/** The library waits for its next attempt. */
let isBetweenAttempts = false;
let wakeUp: (() => void) | null = null;
const stateListeners = new Set<() => void>();
const backListeners = new Set<() => void>();
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
  state = next;
  for (const listener of stateListeners) listener();
}

export const hubState = (): HubState => state;
export function onHubState(listener: () => void): () => void {
  stateListeners.add(listener);
  return () => stateListeners.delete(listener);
}

/** Calls back whenever the connection has come back after a loss: subscriptions and terminals are bound to the old one. */
export function onHubBack(listener: () => void): () => void {
  backListeners.add(listener);
  return () => backListeners.delete(listener);
}

/** Calls back with what the server pushes. What the last handler answers is the answer. */
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

const delayOf = (attempt: number): number =>
  Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** attempt) * (1 - SPREAD + 2 * SPREAD * Math.random());

/** Attempts without end, at once when the network or the page comes back. */
const retryPolicy: IRetryPolicy = {
  nextRetryDelayInMilliseconds({ previousRetryCount }) {
    isBetweenAttempts = true;
    const delay = delayOf(previousRetryCount);
    become(navigator.onLine ? { kind: 'reconnecting', retryAt: Date.now() + delay } : { kind: 'offline' });
    return delay;
  },
};

/** Makes the connection. Its library is loaded now, after the first rows are on the screen. */
async function build(): Promise<HubConnection> {
  const { HubConnectionBuilder, LogLevel } = await import('@microsoft/signalr');
  const hub = new HubConnectionBuilder()
    .withUrl('/hubs/viewer')
    .withAutomaticReconnect(retryPolicy)
    // A line that breaks off for a moment costs nothing: what was sent meanwhile arrives.
    .withStatefulReconnect()
    .withServerTimeout(30 * SECOND)
    .configureLogging(LogLevel.None)
    .build();
  for (const name of PUSHES) {
    hub.on(name, (...args: never[]) => {
      let answer: unknown = name === 'ReceiveChatResponse' ? false : undefined;
      for (const handler of handlers.get(name) ?? []) answer = handler(...args);
      return answer;
    });
  }
  hub.onreconnected(cameBack);
  hub.onclose(() => {
    isBetweenAttempts = false;
    if (isWanted) void restart();
    else become({ kind: 'idle' });
  });
  return hub;
}

function cameBack(): void {
  isBetweenAttempts = false;
  become({ kind: 'live' });
  for (const listener of backListeners) listener();
}

/** Starts until it succeeds or nobody wants the connection any more. */
async function startUntilLive(building: Promise<HubConnection>): Promise<void> {
  const hub = await building;
  for (let attempt = 0; ; attempt += 1) {
    if (!isWanted) return;
    try {
      become({ kind: 'connecting' });
      await hub.start();
      become({ kind: 'live' });
      return;
    } catch {
      const delay = delayOf(attempt);
      become(navigator.onLine ? { kind: 'reconnecting', retryAt: Date.now() + delay } : { kind: 'offline' });
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, delay);
        wakeUp = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }
}

async function restart(): Promise<void> {
  if (connection === null) return;
  started = startUntilLive(connection);
  await started;
  if (state.kind === 'live') for (const listener of backListeners) listener();
}

/** Connects, if the page is not connected already. */
export function startHub(): Promise<void> {
  isWanted = true;
  connection ??= build();
  started ??= startUntilLive(connection);
  return started;
}

/** Ends the connection: at the sign-out, and when a hidden page keeps nothing running. */
export async function stopHub(): Promise<void> {
  isWanted = false;
  wakeUp?.();
  const ended = connection;
  connection = null;
  started = null;
  await (await ended)?.stop();
  become({ kind: 'idle' });
}

/** Tries again now: the network is back, somebody looks at the page, or pressed "Now". */
export async function reconnectNow(): Promise<void> {
  wakeUp?.();
  // While its own attempts last, the connection is stopped: it then starts anew at once, see `onclose`.
  if (isWanted && isBetweenAttempts) await (await connection)?.stop();
}

/** Calls a method of the hub and waits for the connection first. */
export async function invoke<K extends MethodName>(method: K, ...args: Arguments<ViewerMethods[K]>): Promise<Result<ViewerMethods[K]>> {
  await startHub();
  if (connection === null) throw new ProblemError(0, { title: 'Not connected.' });
  return (await connection).invoke<Result<ViewerMethods[K]>>(method, ...args);
}

/** Calls a method whose effect ends with the connection anyway: without one there is nothing to do. */
export async function invokeIfLive<K extends MethodName>(method: K, ...args: Arguments<ViewerMethods[K]>): Promise<void> {
  if (state.kind !== 'live' || connection === null) return;
  await (await connection).invoke(method, ...args).catch(() => undefined);
}

/** The connection itself, for streams. */
export async function liveConnection(): Promise<HubConnection> {
  await startHub();
  if (connection === null) throw new ProblemError(0, { title: 'Not connected.' });
  return connection;
}

/** The reason of a refused check. */
const REFUSED = 'Forbidden.';

/** Whether a hub call failed for want of a permission. */
export const isRefused = ({ isSuccess, reason }: HubResult): boolean => !isSuccess && reason === REFUSED;

/**
 * Throws the failure of a hub call as a problem, so that pages show it like any other refusal. A refused check says no more than that: the
 * permission that the method asks for, and the device, are known here.
 */
export function expectSuccess<R extends HubResult>(result: R, permission: string, deviceId: string): R {
  if (result.isSuccess) return result;
  throw isRefused(result) ? missingOnDevice(permission, deviceId) : new ProblemError(409, { detail: result.reason ?? undefined });
}

let hiddenTimer: ReturnType<typeof setTimeout> | undefined;

/** Follows the network and the visibility of the page. Returns what ends it. */
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
    if (isWantedWhenSeen) void startHub();
    else void reconnectNow();
    isWantedWhenSeen = false;
  } else if (keepers.size === 0) {
    hiddenTimer = setTimeout(() => {
      if (keepers.size > 0) return;
      isWantedWhenSeen = isWanted;
      void stopHub();
    }, HIDDEN_FOR);
  }
}
