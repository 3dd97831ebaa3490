import { DefaultNamingStrategy, type Table, type View } from 'typeorm';

/** Names that operators understand in error messages: snake case, and constraints named after their table and columns. */
export class SnakeCaseNamingStrategy extends DefaultNamingStrategy {
  override tableName(targetName: string, userSpecifiedName: string | undefined): string {
    return userSpecifiedName ?? snakeCase(targetName);
  }

  override columnName(propertyName: string, customName: string | undefined, embeddedPrefixes: string[]): string {
    return [...embeddedPrefixes, customName ?? propertyName].map(snakeCase).join('_');
  }

  override primaryKeyName(table: Table | string): string {
    return `pk_${this.nameOf(table)}`;
  }

  override uniqueConstraintName(table: Table | string, columns: string[]): string {
    return `uq_${this.nameOf(table)}_${columns.join('_')}`;
  }

  override foreignKeyName(table: Table | string, columns: string[]): string {
    return `fk_${this.nameOf(table)}_${columns.join('_')}`;
  }

  override indexName(table: Table | View | string, columns: string[]): string {
    return `ix_${this.nameOf(table)}_${columns.join('_')}`;
  }

  private nameOf(table: Table | View | string): string {
    const name = typeof table === 'string' ? table : table.name;
    return name.split('.').at(-1) ?? '';
  }
}

/** The name of a property as the name of its column: `dnsHostName` becomes `dns_host_name`. */
export function snakeCase(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}
