import { inUnits } from '../../backups/describe-manifest.js';
import { Area, fault, faultsOr, well, type Finding } from '../finding.js';

/** State of the data folder. Sizes are in bytes. */
export interface DataFolderFacts {
  readonly path: string;
  readonly exists: boolean;
  readonly isWritable: boolean;
  /** True if every account may write to it. */
  readonly isOpen: boolean;
  /** A file with a key that every account can read; null without one. */
  readonly openKeyFile: string | null;
  readonly free: number;
}

/** Space below which the database may stop, in bytes. */
const FULL_BYTES = 256 * 1024 * 1024;

/** Findings about the data folder. `reserve` is the space in bytes that waiting transfers leave free. */
export function dataFolderFindings(facts: DataFolderFacts, reserve: number): readonly Finding[] {
  const { path, exists, isWritable, isOpen, openKeyFile, free } = facts;
  if (!exists) return [fault('data-folder-missing', `There is no folder ${path}.`)];
  const found: Finding[] = [];
  if (!isWritable) found.push(fault('data-folder-read-only', `This account cannot write to ${path}.`));
  if (isOpen) found.push(fault('data-folder-open', `Every account can write to ${path}.`));
  if (openKeyFile !== null) found.push(fault('key-file-open', `Every account can read ${openKeyFile}.`));
  if (free < FULL_BYTES) found.push(fault('disk-full', `The disk of ${path} has ${inUnits(free)} left.`));
  else if (free < reserve) {
    found.push(fault('disk-short', `The disk of ${path} has ${inUnits(free)} left, less than the ${inUnits(reserve)} that stay free.`));
  }
  return faultsOr(found, well(Area.DataFolder, `${path} is writable, and its disk has ${inUnits(free)} left.`));
}
