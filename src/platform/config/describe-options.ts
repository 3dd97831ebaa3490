import { allOptions, type Option, variableOf } from './options.js';

const INTRODUCTION = `# Configuration

Every option has a name of one or more levels. It can be given in three places; the last of them that names it wins:

1. a JSON file, \`settings.json\` in the working directory unless \`Service_SettingsFile\` names another one, with the levels as nested objects;
2. the environment: the prefix \`Service_\`, two underscores between levels;
3. one file an option in the folder \`SecretsPath\`, its name the option's without the prefix, while \`AppOptions:EnableDockerSecrets\` is on.

Names are read in any case, except those of the variables PORT and POSTGRES_…, which have no prefix. An empty value stands for
the default, except where it is said to mean something. A list is separated by commas, or has one variable an entry (\`__0\`, \`__1\` and so on). Durations are \`[days.]hh:mm:ss\` or ISO 8601 such as
\`PT1M\`. A value that cannot be used stops the start with the option's name and what was expected; a variable with the prefix
that is no option gives a warning. Values of secret options are never shown. \`NODE_ENV=development\` serves the API browser and shows the
stack of unexpected errors; everything else is production.
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
  ];
  const meaning = option.takesEffect ? option.meaning : `${option.meaning} Has no effect in this version.`;
  return `- \`${option.key}\`: ${meaning}\n  ${facts.join('; ')}.`;
}
