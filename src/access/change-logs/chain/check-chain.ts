import { finding, type ChainFinding } from './chain-finding.js';
import type { Chain, ChainRows, Link } from './chain-rows.js';
import { entryHash, type EntryPlace } from './entry-hash.js';

/** Places before and after its own at which an entry is looked for: closing a gap moves the entries behind it. */
const FARTHEST_MOVE = 1_000;

/** The end of a chain that was read to its end, or the first difference in it. */
export type CheckedChain = { readonly entries: number } | { readonly entries: number; readonly found: ChainFinding };

/**
 * Compares the entries of a log with its chain, from the oldest that has not expired to the newest.
 * @param visit gets each link that fits
 */
export async function checkChain(rows: ChainRows, chain: Chain, visit: (link: Link) => void): Promise<CheckedChain> {
  const { logId } = chain;
  let last: Pick<Link, 'position' | 'hash'> & { readonly entryId: string | null } = {
    position: chain.removedPosition,
    hash: chain.removedHash,
    entryId: null,
  };
  let entries = 0;
  for await (const link of rows.links(logId, chain.removedPosition)) {
    const place = { logId, position: last.position + 1, previous: last.hash };
    const found = await difference(rows, place, last.entryId, link);
    if (found !== null) return { entries, found };
    visit(link);
    entries += 1;
    last = link;
  }
  const found = differenceOfHead(chain, last);
  return found === null ? { entries } : { entries, found };
}

/** The first difference at the place that a link should have, or null. */
async function difference(rows: ChainRows, place: EntryPlace, before: string | null, link: Link): Promise<ChainFinding | null> {
  const { logId, position } = place;
  const { entryId, covered } = link;
  const at = { position, entryId };
  if (link.position > position) {
    return finding('deleted', logId, { position, entryId: null }, `the entry at position ${position} and its link are missing.`);
  }
  if (covered === null) return finding('deleted', logId, at, `entry ${entryId} at position ${position} is missing.`);
  const follows = link.previous.equals(place.previous);
  if (follows && entryHash(place, covered).equals(link.hash)) return null;
  const moved = follows ? 0 : moveOf(place, link, covered);
  if (moved === 0 && !follows && before === null) {
    const missing = { position: position - 1, entryId: null };
    return finding('deleted', logId, missing, `entries before position ${position} are missing, and did not expire.`);
  }
  if (moved === 0 && !follows) {
    // The link is as it was written, so that the hash before it is not.
    return finding(
      'changed',
      logId,
      { position: position - 1, entryId: before },
      `the entry at position ${position - 1} was changed, and its hash with it.`,
    );
  }
  if (moved !== null && moved < 0) {
    return finding(
      'inserted',
      logId,
      { position: position + moved, entryId: moved === -1 ? before : null },
      `an entry was inserted at position ${position + moved}.`,
    );
  }
  if (moved !== null && moved > 0) {
    return (await rows.hasHash(logId, link.previous))
      ? finding('reordered', logId, at, `entry ${entryId} is at position ${position} and belongs at ${position + moved}.`)
      : finding('deleted', logId, { position, entryId: null }, `the entry at position ${position} is missing, and later ones were moved.`);
  }
  for await (const later of rows.links(logId, link.position)) {
    const hash = later.covered === null ? null : entryHash(place, later.covered);
    if (hash !== null && (hash.equals(link.hash) || hash.equals(later.hash))) {
      return finding('reordered', logId, at, `entry ${entryId} is at position ${position}, where entry ${later.entryId} belongs.`);
    }
  }
  return finding('changed', logId, at, `entry ${entryId} at position ${position} is not as it was written.`);
}

/** The distance by which an entry was moved that was written with the hash before it; null when it fits nowhere near. */
function moveOf({ logId, position }: EntryPlace, { previous, hash }: Link, covered: readonly (string | null)[]): number | null {
  for (let distance = 0; distance <= FARTHEST_MOVE; distance += 1) {
    for (const move of [distance, -distance]) {
      if (entryHash({ logId, position: position + move, previous }, covered).equals(hash)) return move;
    }
  }
  return null;
}

/** The difference between the last link and the head of its chain, or null. */
function differenceOfHead(
  { logId, position, hash }: Chain,
  last: Pick<Link, 'position' | 'hash'> & { readonly entryId: string | null },
): ChainFinding | null {
  if (last.position < position) {
    const missing = last.position + 1;
    return finding('deleted', logId, { position: missing, entryId: null }, `the entry at position ${missing} and its link are missing.`);
  }
  if (last.position > position) {
    const place = { position: position + 1, entryId: null };
    return finding('inserted', logId, place, `an entry was inserted at position ${place.position}, after the end of the chain.`);
  }
  if (last.hash.equals(hash)) return null;
  return finding('changed', logId, last, `the entry at position ${position} was changed, and its hash with it.`);
}
