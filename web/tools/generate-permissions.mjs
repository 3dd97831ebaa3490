// Writes the permission of each operation, the only generated source that is more than types or routes.
import { descriptions, METHODS, write } from './generated.mjs';

function permissionsOf(document) {
  const rows = [];
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const permission = operations[method]?.['x-permission']?.name;
      if (permission !== undefined) rows.push([`${method.toUpperCase()} ${path}`, permission]);
    }
  }
  return rows;
}

const permissions = (await descriptions()).flatMap(([, document]) => permissionsOf(document));
const names = [...new Set(permissions.map(([, permission]) => permission))].sort();
const table = permissions.map(([operation, permission]) => `  '${operation}': '${permission}',\n`).join('');
await write(
  'permissions.ts',
  `/** The permission that each operation asks for. */\nexport const permissionOf: Readonly<Record<string, OperationPermission | undefined>> = {\n${table}};\n\n` +
    `export type OperationPermission =\n${names.map((name) => `  | '${name}'`).join('\n')};\n`,
);
