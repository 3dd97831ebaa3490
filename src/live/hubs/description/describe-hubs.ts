import type { HubMethod } from '#libs/contracts';

import { describeConnecting, describeEncodings, describeResults, describeSigning } from './chapters.js';
import { linkTo } from './markdown.js';
import { describeDirection, directions } from './methods.js';
import { describeEnum, describeRecord, titleOf, typesOf } from './types.js';

const TITLE = `# Hubs

Viewers and device agents talk with the service over two SignalR hubs. This document describes every message of both.

_Generated from the descriptors in \`libs/contracts\`. After a change of these, run
\`npm run --silent hubs:describe > docs/hubs.md\`._`;

/** Describes both hubs from their descriptors, in Markdown. */
export function describeHubs(): string {
  const methods = directions.flatMap((direction) => direction.methods.map(({ method }) => method));
  const { records, enums } = typesOf(methods);
  const inline = recordsOfOneMethod(methods);
  const shared = [...records.values()].filter(({ name }) => !inline.has(name)).sort(byName);
  const chapters = [
    describeConnecting(),
    describeEncodings(),
    describeResults(),
    describeSigning(),
    ...directions.map((direction) => describeDirection(direction, inline)),
    [
      '## Records',
      'More than one method uses these records. The other records are described with their method.',
      ...shared.map((record) => `### ${titleOf(record)}\n\n${describeRecord(record)}`),
    ].join('\n\n'),
    ['## Enums', ...[...enums.values()].sort(byName).map((type) => `### ${type.name}\n\n${describeEnum(type)}`)].join('\n\n'),
  ];
  return `${[TITLE, contents(chapters), ...chapters].join('\n\n')}\n`;
}

/** The records that only one method carries. They are described with that method. */
function recordsOfOneMethod(methods: readonly HubMethod[]): ReadonlySet<string> {
  const carriers = new Map<string, number>();
  for (const method of methods) {
    for (const name of typesOf([method]).records.keys()) carriers.set(name, (carriers.get(name) ?? 0) + 1);
  }
  return new Set([...carriers].filter(([, count]) => count === 1).map(([name]) => name));
}

function contents(chapters: readonly string[]): string {
  const headings = chapters.map((chapter) => chapter.slice('## '.length, chapter.indexOf('\n')));
  return headings.map((heading) => `- ${linkTo(heading)}`).join('\n');
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1;
}
