import { randomBytes } from 'node:crypto';

import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { Piscina } from 'piscina';

import { Bulkhead, KeyedBulkhead } from '../common/bulkhead.js';
import { PasswordCost } from './password-cost.js';

/**
 * One source computes one password at a time, so that it never waits for more than one of each other. Passwords that are set count for
 * their tenant, sign-ins for the address that they come from. Eight more may wait:
 * people set passwords one by one, and a script that sets many gets the hint to slow down.
 */
const OF_A_SOURCE = { running: 1, waiting: 8, what: 'passwords of one source' };
/** One thread, because reports and commands need the other processors. The last of 32 that wait has its turn after about a second. */
const IN_ALL = { running: 1, waiting: 32, what: 'passwords' };
/** How long the thread outlives its last password, in milliseconds: it is not started for each of a few, and takes no memory for long. */
const IDLE_THREAD_MS = 10_000;

/**
 * Hashes passwords and compares them with stored hashes, which is expensive on purpose. That happens in a thread of its own: Node's
 * thread pool verifies the signatures of reports, which would queue behind the hashes. How many passwords wait is bounded.
 */
@Injectable()
export class PasswordHasher implements OnModuleDestroy {
  private readonly logger = new Logger('Passwords');
  private readonly ofSource = new KeyedBulkhead(OF_A_SOURCE);
  private readonly inAll = new Bulkhead(IN_ALL);
  /** A stored form that no password has, at today's cost. */
  private readonly nobody: string;
  private pool: Promise<Piscina> | undefined;

  constructor(private readonly cost: PasswordCost) {
    const { memoryCost, timeCost, parallelism } = cost.ofHash;
    this.nobody = `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${unpadded(16)}$${unpadded(32)}`;
  }

  async onModuleDestroy(): Promise<void> {
    await (await this.pool)?.destroy();
  }

  /**
   * The stored form of a password: argon2id with its salt and parameters in one text. Make every cheaper check first.
   * @throws DomainError 503 when too many passwords wait, of the source or in all
   */
  hash(source: string, password: string): Promise<string> {
    return this.compute<string>(source, 'hash', { password, cost: this.cost.ofHash });
  }

  /**
   * Whether a password is the one behind a stored form; never for null, which costs the same, so that the time of a refusal does not
   * tell whether there is an account with a password. Throws as {@link hash} does.
   */
  matches(source: string, password: string, stored: string | null): Promise<boolean> {
    return this.compute<boolean>(source, 'verify', { password, stored: stored ?? this.nobody });
  }

  private compute<T>(source: string, name: 'hash' | 'verify', task: object): Promise<T> {
    const run = async (): Promise<T> => (await this.thread()).run(task, { name }) as Promise<T>;
    return this.ofSource.run(source, () => this.inAll.run(run));
  }

  /** Loaded with the first password: most processes never see one. */
  private thread(): Promise<Piscina> {
    this.pool ??= this.startPool();
    return this.pool;
  }

  private async startPool(): Promise<Piscina> {
    const { Piscina } = await import('piscina');
    const pool = new Piscina({
      filename: new URL('./password-worker.mjs', import.meta.url).href,
      minThreads: 0,
      maxThreads: IN_ALL.running,
      idleTimeout: IDLE_THREAD_MS,
      niceIncrement: this.cost.niceness,
    });
    // A thread that fails while it computes nothing is replaced by the next password. Unheard, its error would end the process.
    pool.on('error', (error: Error) => this.logger.error(error.stack ?? error.message));
    return pool;
  }
}

/** So many random bytes as base64 without padding, as argon2 writes salts and hashes. */
function unpadded(bytes: number): string {
  return randomBytes(bytes).toString('base64').replaceAll('=', '');
}
