import { randomBytes } from 'node:crypto';

import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { Piscina } from 'piscina';

import { Bulkhead, KeyedBulkhead } from '../../../platform/common/concurrency/bulkhead.js';
import { observeWork } from '../../../platform/common/concurrency/work-metrics.js';
import { PasswordCost } from './password-cost.js';
import type { PasswordSource } from './password-source.js';

/**
 * Limits on one source: it computes one password at a time, so that it never waits for more than one of each other. Passwords that are set
 * count for their tenant, sign-ins for the browser or the address that they come from. Eight more may wait: people set passwords one by
 * one, and a script that sets many gets the hint to slow down.
 */
const OF_A_SOURCE = { running: 1, waiting: 8, what: 'passwords of one source' };
/** A client with one address of a network may have many, so the network takes at most half of the places of unknown sources. */
const OF_A_NETWORK = { running: 1, waiting: 15, what: 'passwords of one network' };
/**
 * Limits on all known sources, and on all unknown ones: the last of 32 that wait has its turn after about a second, or two while both kinds
 * take turns.
 */
const IN_ALL = { running: 1, waiting: 32, what: 'passwords' };
/** Number of threads. One, because reports and commands need the other processors. Known and unknown sources have it in turns. */
const THREADS = 1;
/**
 * Time for which the thread outlives its last password, in milliseconds: it is not started for each of a few, and takes no memory for long.
 */
const IDLE_THREAD_MS = 10_000;

/**
 * Hashes passwords and compares them with stored hashes, which is expensive on purpose. That happens in a thread of its own: Node's thread
 * pool verifies the signatures of reports, which would queue behind the hashes. The number of waiting passwords is bounded.
 */
@Injectable()
export class PasswordHasher implements OnApplicationShutdown {
  private readonly logger = new Logger('Passwords');
  private readonly ofSource = new KeyedBulkhead(OF_A_SOURCE);
  private readonly ofNetwork = new KeyedBulkhead(OF_A_NETWORK);
  /** Places for sources from which a user has signed in before. No flood of others takes them. */
  private readonly ofKnown = new Bulkhead(IN_ALL);
  private readonly ofUnknown = new Bulkhead(IN_ALL);
  /** A stored form that no password has, at today's cost. */
  private readonly nobody: string;
  private pool: Promise<Piscina> | undefined;

  constructor(private readonly cost: PasswordCost) {
    observeWork('passwords of known sources', () => this.ofKnown.underWay);
    observeWork('passwords of unknown sources', () => this.ofUnknown.underWay);
    const { memoryCost, timeCost, parallelism } = cost.ofHash;
    this.nobody = `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${unpadded(16)}$${unpadded(32)}`;
  }

  /** Ends the thread. Requests need it until the last one is answered, which has happened by now. */
  async onApplicationShutdown(): Promise<void> {
    await (await this.pool)?.destroy();
  }

  /**
   * The stored form of a password: argon2id with its salt and parameters in one text. Make every cheaper check first.
   * @throws DomainError 503 when too many passwords wait, of the source or in all
   */
  hash(passwordSource: PasswordSource, password: string): Promise<string> {
    return this.compute<string>(passwordSource, 'hash', { password, cost: this.cost.ofHash });
  }

  /**
   * Checks a password against a stored form. Null never matches and costs the same, so that the time of a refusal does not tell whether
   * there is an account with a password. Throws as {@link hash} does.
   */
  matches(passwordSource: PasswordSource, password: string, stored: string | null): Promise<boolean> {
    return this.compute<boolean>(passwordSource, 'verify', { password, stored: stored ?? this.nobody });
  }

  private compute<T>({ source, network, isKnown }: PasswordSource, name: 'hash' | 'verify', task: object): Promise<T> {
    const run = async (): Promise<T> => (await this.thread()).run(task, { name }) as Promise<T>;
    if (isKnown) return this.ofSource.run(source, () => this.ofKnown.run(run));
    const inAll = (): Promise<T> => this.ofUnknown.run(run);
    return this.ofSource.run(source, () => (network === undefined ? inAll() : this.ofNetwork.run(network, inAll)));
  }

  /** Returns the thread, loaded with the first password: most processes never see one. */
  private thread(): Promise<Piscina> {
    this.pool ??= this.startPool();
    return this.pool;
  }

  private async startPool(): Promise<Piscina> {
    const { Piscina } = await import('piscina');
    const pool = new Piscina({
      filename: new URL('./password-worker.mjs', import.meta.url).href,
      minThreads: 0,
      maxThreads: THREADS,
      idleTimeout: IDLE_THREAD_MS,
      niceIncrement: this.cost.niceness,
    });
    // A thread that fails while it computes nothing is replaced by the next password. Unheard, its error would end the process.
    pool.on('error', (error: Error) => this.logger.error(error.stack ?? error.message));
    return pool;
  }
}

/** Returns a number of random bytes as base64 without padding, as argon2 writes salts and hashes. */
function unpadded(bytes: number): string {
  return randomBytes(bytes).toString('base64').replaceAll('=', '');
}
