import { hashSync } from '@node-rs/argon2';

import { PasswordCost } from '../../src/access/authentication/passwords/password-cost.js';
import { median } from './rounds.js';

const SAMPLES = 21;
const KIB_PER_MIB = 1024;

/** Describes the cost of a password's hash, in a sentence with the time that it takes on this machine now. */
export function passwordCost(): string {
  const cost = new PasswordCost().ofHash;
  const times = Array.from({ length: SAMPLES }, () => {
    const started = performance.now();
    hashSync('Correct-Horse-7', cost);
    return performance.now() - started;
  });
  const { memoryCost, timeCost, parallelism } = cost;
  const parameters = `${memoryCost / KIB_PER_MIB} MiB, passes: ${timeCost}, lanes: ${parallelism}`;
  return `A password costs argon2id (${parameters}): ${median(times).toFixed(1)} ms of a processor that does nothing else.`;
}
