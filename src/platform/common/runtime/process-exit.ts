import { Injectable } from '@nestjs/common';

/** Ends the process at once when it must not run on, not even to stop in order. */
@Injectable()
export class ProcessExit {
  /** Prints a sentence for the operator and ends the process with exit code 1. */
  now(sentence: string): void {
    process.stderr.write(`${sentence}\n`);
    process.exit(1);
  }
}
