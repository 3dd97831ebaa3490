import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { CHROMIUM_PATH, hasChromium } from '../../demo/chromium.js';
import type { Finding } from './finding.js';

/** A program that a measurement needs, and the package of Debian that has it. */
export interface Need {
  readonly program: string;
  readonly debianPackage: string;
}

/** Goals that are measured together, with programs that a machine may lack. */
export interface BenchPart {
  readonly title: string;
  readonly needs: readonly Need[];
  measure(): Promise<PartResult>;
}

export interface PartResult {
  readonly findings: readonly Finding[];
  /** Sentences about what could not be measured, and why. */
  readonly skipped?: readonly string[];
}

/** Debian has servers here, which is not on the path of every account. */
const SERVERS = '/usr/sbin';

/** The file of a program; undefined if this machine does not have it. */
export function fileOf(program: string): string | undefined {
  return [...(process.env.PATH ?? '').split(delimiter), SERVERS].map((folder) => join(folder, program)).find((file) => existsSync(file));
}

/** Says which of the programs this machine lacks; null if it has them all. */
export function lackOf(needs: readonly Need[]): string | null {
  const lacking = needs.filter(({ program }) => !isThere(program));
  if (lacking.length === 0) return null;
  return `this machine has no ${lacking.map(({ program, debianPackage }) => `${program} (Debian: ${debianPackage})`).join(', no ')}`;
}

function isThere(program: string): boolean {
  return program === CHROMIUM_PATH ? hasChromium : fileOf(program) !== undefined;
}
