import { once } from 'node:events';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi, type MockInstance } from 'vitest';
import { Logger } from '@nestjs/common';

import { RecordedMetrics } from '../../../test/support/application/recorded-metrics.js';
import { eventually } from '../../../test/support/eventually.js';
import { MailServer } from '../../../test/support/stand-ins/mail-server.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import { loadSettings } from '../../platform/config/load-settings.js';
import type { LastOutcomes } from '../../platform/node/last-outcomes.js';
import { MailDelivery } from './mail-delivery.js';
import { MailMetrics } from './mail-metrics.js';
import { MailQueue, MailQueueLimits } from './mail-queue.js';

const MESSAGE = { to: 'ann@example.org', subject: 'Hello', text: 'Hello\n', html: '<p>Hello</p>\n' };
const HOUR_MS = 3_600_000;

/** The outcomes of deliveries go into the database, which the queue does not need. */
const outcomes = { store: () => Promise.resolve() } as unknown as LastOutcomes;

let mailServer: MailServer;
let queue: MailQueue;
let warned: MockInstance<Logger['warn']>;

/** A queue to the mail server. Its retries are quick, unless the limits say otherwise. */
function makeQueue(limits: Partial<MailQueueLimits> = {}, port = mailServer.port): MailQueue {
  const options = { SmtpHost: '127.0.0.1', SmtpPort: String(port), SmtpEmail: 'service@example.org', SmtpDisplayName: 'Service' };
  const env = Object.fromEntries(Object.entries(options).map(([name, value]) => [`Service_AppOptions__${name}`, value]));
  const { settings } = loadSettings({ env: { ...env, Service_DataPath: join(tmpdir(), 'mail-queue-spec') }, cwd: '/nonexistent' });
  queue = new MailQueue(
    new MailDelivery(settings, new Clock(), outcomes),
    { ...new MailQueueLimits(), retryDelaysMs: [1, 2, 3], ...limits },
    new MailMetrics(),
  );
  return queue;
}

/** Makes the mail server refuse the first attempts with this reply. Returns how many it has seen. */
function refuse(responseCode: number, attempts: number): () => number {
  let seen = 0;
  const refusal = Object.assign(new Error('Not now'), { responseCode });
  mailServer.handlers = { onMailFrom: (_address, _session, done) => done(seen++ < attempts ? refusal : null) };
  return () => seen;
}

/** Makes the mail server hold every message. Returns the functions that let one go on. */
function hold(): (() => void)[] {
  const held: (() => void)[] = [];
  mailServer.handlers = { onMailFrom: (_address, _session, done) => void held.push(done) };
  return held;
}

const isEmpty = (): boolean => queue.size === 0;

beforeAll(async () => {
  mailServer = await MailServer.start();
});

beforeEach(() => {
  mailServer.reset();
  warned = vi.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
});

afterEach(async () => {
  await queue.onApplicationShutdown();
  vi.restoreAllMocks();
});

afterAll(() => mailServer.stop());

it('the queue sends every message that it takes', async () => {
  makeQueue().add(MESSAGE);
  expect(mailServer.received).toEqual([]);
  await eventually('the queue is empty', isEmpty);
  expect(mailServer.received).toMatchObject([{ to: ['ann@example.org'] }]);
  expect(warned).not.toHaveBeenCalled();
});

it('the queue sends a few messages at the same time', async () => {
  const held = hold();
  makeQueue({ underWay: 2 });
  for (let i = 0; i < 5; i++) queue.add(MESSAGE);
  for (let i = 0; i < 5; i++) {
    const ahead = Math.min(i + 2, 5);
    await eventually(`${ahead} messages have reached the mail server`, () => held.length === ahead);
    held[i]();
  }
  await eventually('the queue is empty', isEmpty);
  expect(mailServer.received).toHaveLength(5);
});

describe('a message that the mail server does not take', () => {
  it('is sent again when it was refused for now', async () => {
    const attempts = refuse(451, 3);
    makeQueue().add(MESSAGE);
    await eventually('the queue is empty', isEmpty);
    expect([attempts(), mailServer.received.length]).toEqual([4, 1]);
    expect(warned).not.toHaveBeenCalled();
  });

  it('is given up after the last attempt, with the reason in the log and nothing of its text', async () => {
    const attempts = refuse(451, 9);
    makeQueue().add({ ...MESSAGE, text: 'secret', html: 'secret' });
    await eventually('the queue is empty', isEmpty);
    expect(attempts()).toBe(4);
    expect(warned).toHaveBeenCalledTimes(1);
    expect(warned).toHaveBeenCalledWith({
      message: 'A mail was not sent.',
      subject: 'Hello',
      to: 'ann@example.org',
      attempts: 4,
      reason: expect.stringContaining('Not now') as string,
    });
    expect(JSON.stringify(warned.mock.calls)).not.toContain('secret');
  });

  it('is given up at once when it was refused for ever', async () => {
    const attempts = refuse(550, 9);
    makeQueue().add(MESSAGE);
    await eventually('the queue is empty', isEmpty);
    expect(attempts()).toBe(1);
    expect(warned).toHaveBeenCalledWith(expect.objectContaining({ attempts: 1 }));
  });

  it('is sent again when the mail server could not be reached', async () => {
    // The port of an open connection: no other process can listen there until it is closed.
    const connection = connect(mailServer.port, '127.0.0.1');
    await once(connection, 'connect');
    try {
      makeQueue({}, Number(connection.localPort)).add(MESSAGE);
      await eventually('the queue is empty', isEmpty);
    } finally {
      connection.destroy();
    }
    expect(warned).toHaveBeenCalledWith(expect.objectContaining({ attempts: 4, reason: expect.stringContaining('127.0.0.1') as string }));
  });

  it('does not hold up others', async () => {
    refuse(451, 1);
    makeQueue({ underWay: 1, retryDelaysMs: [HOUR_MS] }).add(MESSAGE);
    await eventually('it waits', () => queue.isWaiting);
    queue.add({ ...MESSAGE, to: 'ben@example.org' });
    await eventually('the other one is sent', () => mailServer.received.length === 1);
    expect(mailServer.received).toMatchObject([{ to: ['ben@example.org'] }]);
  });

  it('never fails its caller', async () => {
    makeQueue().add({ ...MESSAGE, to: 'nobody' });
    await eventually('the queue is empty', isEmpty);
    expect(warned).toHaveBeenCalledWith(expect.objectContaining({ reason: expect.stringContaining('recipient') as string }));
  });
});

describe('a full queue', () => {
  it('drops further messages, and says so when it begins and when it is over', async () => {
    const held = hold();
    makeQueue({ queued: 2 });
    for (let i = 0; i < 5; i++) queue.add(MESSAGE);
    expect(queue.size).toBe(2);
    expect(warned).toHaveBeenCalledTimes(1);
    await eventually('both have reached the mail server', () => held.length === 2);
    for (const proceed of held) proceed();
    await eventually('the queue is empty', isEmpty);
    expect(mailServer.received).toHaveLength(2);
    expect(warned.mock.calls.map(([line]) => String(line))).toEqual([
      expect.stringContaining('full'),
      '3 mails were dropped because the queue was full.',
    ]);
    mailServer.handlers = {};
    queue.add(MESSAGE);
    await eventually('a later one is sent', () => mailServer.received.length === 3);
  });
});

describe('when the service stops', () => {
  it('waiting messages are tried once more', async () => {
    refuse(451, 1);
    makeQueue({ retryDelaysMs: [HOUR_MS] }).add(MESSAGE);
    await eventually('it waits', () => queue.isWaiting);
    await queue.onApplicationShutdown();
    expect(mailServer.received).toHaveLength(1);
    expect(warned).not.toHaveBeenCalled();
  });

  it('messages that are refused once more are given up', async () => {
    const attempts = refuse(451, 9);
    makeQueue({ retryDelaysMs: [HOUR_MS, HOUR_MS] }).add(MESSAGE);
    await eventually('it waits', () => queue.isWaiting);
    await queue.onApplicationShutdown();
    expect([attempts(), queue.size]).toEqual([2, 0]);
    expect(warned).toHaveBeenCalledWith(expect.objectContaining({ attempts: 2 }));
  });

  it('a silent mail server does not hold it up, and unsent messages are counted', async () => {
    const held = hold();
    makeQueue({ underWay: 1, drainMs: 20 });
    for (let i = 0; i < 3; i++) queue.add(MESSAGE);
    await eventually('one has reached the mail server', () => held.length === 1);
    await queue.onApplicationShutdown();
    expect(warned.mock.calls).toEqual([['3 mails were not sent before the service stopped.']]);
    await eventually('the connection is ended', isEmpty);
    expect(mailServer.received).toEqual([]);
  });

  it('further messages are dropped', async () => {
    makeQueue();
    await queue.onApplicationShutdown();
    queue.add(MESSAGE);
    expect(queue.size).toBe(0);
    expect(warned).toHaveBeenCalledTimes(1);
  });
});

describe('the metrics of the queue', () => {
  it('count the mails that it holds, those sent, and those lost, with the reason', async () => {
    const recorded = new RecordedMetrics();
    try {
      const held = hold();
      makeQueue({ queued: 3, drainMs: 20 });
      for (let i = 0; i < 5; i++) queue.add(MESSAGE);
      await eventually('all have reached the mail server', () => held.length === 3);
      expect(await recorded.sum('mail.queue.length', {})).toBe(3);
      expect(await recorded.sum('mail.failed', { reason: 'queue_full' })).toBe(2);
      for (const proceed of held) proceed();
      await eventually('the queue is empty', isEmpty);
      expect([await recorded.sum('mail.queue.length', {}), await recorded.sum('mail.sent', {})]).toEqual([0, 3]);
      refuse(550, 1);
      queue.add(MESSAGE);
      await eventually('it is refused', isEmpty);
      expect(await recorded.sum('mail.failed', { reason: 'refused' })).toBe(1);
      const late = hold();
      queue.add(MESSAGE);
      await eventually('it has reached the mail server', () => late.length === 1);
      await queue.onApplicationShutdown();
      expect(await recorded.sum('mail.failed', { reason: 'stopped' })).toBe(1);
    } finally {
      await recorded.stop();
    }
  });
});
