import { createHash } from 'node:crypto';

const LINE_END = 0x0a;

/** Digest of the content of a table or a file. In the text format of COPY each row is one line. */
export class ContentDigest {
  rows = 0;
  bytes = 0;
  private readonly hash = createHash('sha256');

  update(chunk: Buffer): void {
    this.hash.update(chunk);
    this.bytes += chunk.length;
    for (let at = chunk.indexOf(LINE_END); at !== -1; at = chunk.indexOf(LINE_END, at + 1)) this.rows += 1;
  }

  /** Ends the digest. In hex. */
  sha256(): string {
    return this.hash.digest('hex');
  }
}
