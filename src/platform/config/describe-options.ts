import { allOptions, type Option, variableOf } from './options.js';

const INTRODUCTION = `# Configuration

Every option has a name of one or more levels. Set it in one of three places; a later one overrides an earlier one:

1. a JSON file with the levels as nested objects: \`settings.json\` in the working directory, or the file that \`Service_SettingsFile\` names;
2. an environment variable: the prefix \`Service_\`, two underscores between levels;
3. a file in the folder \`SecretsPath\` with the option's name, without prefix, while \`AppOptions:EnableDockerSecrets\` is on.

- **Names** match in any case, except the variables PORT and POSTGRES_…, which have no prefix.
- **Empty values** mean the default, except where the option says otherwise.
- **Lists** are separated by commas, or have one variable per entry (\`__0\`, \`__1\` and so on).
- **Durations** are \`[days.]hh:mm:ss\` or ISO 8601, such as \`PT1M\`.
- **Invalid values** stop the start; the message names the option and what it expects. An unknown variable with the prefix gives a warning.
- **Secrets** are never shown.
- **SIGHUP** makes a running service read the settings file and the secrets again, see [operations.md](operations.md#change-options-without-a-restart).
  Variables of a process never change: put an option that you want to change this way into the file.

\`NODE_ENV=development\` serves the API browser and shows the stack of unexpected errors. Every other value means production.
`;

/** Describes every option: name, variable, type, default and meaning. Markdown that reads well as plain text. */
export function describeOptions(): string {
  const sections = new Map<string, string[]>();
  for (const option of allOptions()) {
    const title = sectionOf(option.key);
    sections.set(title, [...(sections.get(title) ?? []), describeOption(option)]);
  }
  const chapters = [...sections].map(([title, lines]) => `## ${title}\n\n${lines.join('\n')}\n`);
  return [INTRODUCTION, ...chapters].join('\n');
}

function sectionOf(key: string): string {
  if (key.startsWith('POSTGRES_')) return 'PostgreSQL';
  const [section = '', ...rest] = key.split(':');
  return rest.length === 0 ? 'Service' : section;
}

function describeOption(option: Option<unknown>): string {
  const defaultText = option.kind.format(option.defaultValue);
  const facts = [
    `Variable \`${variableOf(option.key)}\``,
    option.kind.expected,
    ...(option.secret ? ['secret'] : []),
    defaultText === '' ? 'empty by default' : `default \`${defaultText}\``,
    ...(option.reloads ? ['read again on SIGHUP'] : []),
  ];
  const meaning = option.takesEffect ? option.meaning : `${option.meaning} Has no effect in this version.`;
  return `- \`${option.key}\`: ${meaning}\n  ${facts.join('; ')}.`;
}
