import { Injectable } from '@nestjs/common';
import { parseOptions } from '@node-rs/argon2';

/** The parameters of argon2id. */
export interface HashCost {
  /** KiB of memory. */
  readonly memoryCost: number;
  /** Passes over the memory. */
  readonly timeCost: number;
  readonly parallelism: number;
}

/** The cost of a password's hash, which is high on purpose. */
@Injectable()
export class PasswordCost {
  /** Cost of one hash: argon2id, 19 MiB, two passes, about 30 ms of a processor. */
  get ofHash(): HashCost {
    return { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
  }

  /** Niceness of the thread that computes hashes, by which it gives way to the rest of the service. */
  get niceness(): number {
    return 10;
  }

  /** Checks whether a stored form was made at another cost than today's, so that the next sign-in should store a new one. */
  differsFromThatOf(stored: string): boolean {
    const [made, today] = [parseOptions(stored), this.ofHash];
    return made.memoryCost !== today.memoryCost || made.timeCost !== today.timeCost || made.parallelism !== today.parallelism;
  }
}
