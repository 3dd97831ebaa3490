import type { SchemaChanges } from './schema-changes.js';

/** The source of a migration. */
export interface MigrationSource {
  readonly file: string;
  readonly className: string;
  readonly text: string;
}

/** The source of a migration that makes the changes. The name is in Pascal case; the time, in milliseconds, gives the order of migrations. */
export function migrationSource(name: string, time: number, { up, down }: SchemaChanges): MigrationSource {
  const className = `${name}${time}`;
  const text = `import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [${listOf(up)}];

const DOWN = [${listOf(down)}];

export class ${className} implements MigrationInterface {
  readonly name = '${className}';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
`;
  const fileName = name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '-').toLowerCase();
  return { file: `${time}-${fileName}.ts`, className, text };
}

function listOf(statements: readonly string[]): string {
  return statements.map((statement) => `\n  \`${statement.replaceAll(/[\\`]|\$(?=\{)/g, String.raw`\$&`)}\`,`).join('') + '\n';
}
