import { finding, nameOf, type ChainFinding } from './chain-finding.js';
import type { KeptHead } from './chain-head.js';
import type { Chain, Link } from './chain-rows.js';

/** Compares heads that were kept outside of the chains with the hashes that the chains have now. */
export class KeptHeads {
  /** By log and position, or by hash when the place is unknown. */
  private readonly waiting: Map<string, KeptHead & { readonly isOwn: boolean }>;
  private readonly findings: ChainFinding[] = [];
  private readonly expired: string[] = [];

  constructor(heads: readonly KeptHead[]) {
    const telling = heads.filter(({ place }) => place === null || place.position > 0);
    this.waiting = new Map(telling.map((head) => [keyOf(head), { ...head, isOwn: false }]));
  }

  /** A head that another chain keeps. It may expire. */
  add(head: KeptHead): void {
    if (!this.waiting.has(keyOf(head))) this.waiting.set(keyOf(head), { ...head, isOwn: true });
  }

  /** The chain of a log, before its links. */
  open({ logId, removedPosition, removedHash }: Chain): void {
    this.visit(logId, { position: removedPosition, hash: removedHash });
  }

  /** A link of the log. */
  visit(logId: string, { position, hash }: Pick<Link, 'position' | 'hash'>): void {
    if (this.waiting.size === 0) return;
    this.waiting.delete(hash.toString('hex'));
    const key = `${logId} ${position}`;
    const head = this.waiting.get(key);
    if (head === undefined) return;
    this.waiting.delete(key);
    if (!head.hash.equals(hash)) this.findings.push(rewritten(logId, position));
  }

  /** The chain of a log, after its links. `isWhole` when all of them fit. Kept heads that a broken chain hides are not told. */
  close({ logId, removedPosition, position }: Chain, isWhole: boolean): void {
    for (const [key, { place, isOwn }] of this.waiting) {
      if (place === null || place.logId !== logId) continue;
      this.waiting.delete(key);
      if (place.position < removedPosition) {
        const text = `${nameOf(logId)}: the entry at position ${place.position}, of which a head was kept, has expired; the oldest that is left is at position ${removedPosition + 1}.`;
        if (!isOwn) this.expired.push(text);
      } else if (isWhole) this.findings.push(shortened(logId, place.position, position));
    }
  }

  /** The differences, those included of logs without a chain, and sentences about heads whose entry has expired. */
  end(): { readonly findings: readonly ChainFinding[]; readonly expired: readonly string[] } {
    const gone = [...this.waiting.values()].map(({ place, hash }) =>
      place === null
        ? {
            kind: 'rewritten' as const,
            tenantId: null,
            position: null,
            entryId: null,
            text: `No entry has the kept hash ${hash.toString('hex')}: its log was rewritten, or the entry has expired. A head with its position tells which.`,
          }
        : shortened(place.logId, place.position, 0),
    );
    return { findings: [...this.findings, ...gone], expired: this.expired };
  }
}

const keyOf = ({ place, hash }: KeptHead): string => (place === null ? hash.toString('hex') : `${place.logId} ${place.position}`);

function rewritten(logId: string, position: number): ChainFinding {
  const text = `the hash at position ${position} is not that of the head that was kept: the log was rewritten.`;
  return finding('rewritten', logId, { position, entryId: null }, text);
}

function shortened(logId: string, kept: number, position: number): ChainFinding {
  const text = `it ends at position ${position}, and a head at position ${kept} was kept: entries are missing.`;
  return finding('deleted', logId, { position: position + 1, entryId: null }, text);
}
