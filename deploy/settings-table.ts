/** The settings as a Markdown table, for docs/deploy.md. `node dev/run.mjs deploy/settings-table.ts` prints it. */
import { settingNamed, settingNames } from '#worker/settings.ts';

export const settingsTable = (): string =>
  [
    ['setting', 'what it is for', 'where to find it', 'needed', 'kind'],
    ['---', '---', '---', '---', '---'],
    ...settingNames
      .map((name) => ({ name, ...settingNamed(name) }))
      .filter(({ kind }) => kind !== 'stand-in')
      .map(({ name, about, find, need, made, kind }) => [
        `\`${name}\``,
        about,
        find,
        made ? 'generated' : need,
        kind,
      ]),
    [
      '`LIMIT_…`',
      'Rate limits, and retention periods in days.',
      'Names and defaults: `worker/limits/rate-limits.ts`, and [data retention](operations.md#data-retention). `LIMIT_CONFIRMED_MINUTES` (10): the minutes after a sign-in before an irreversible action asks for the password again.',
      'optional',
      'variable',
    ],
  ]
    .map((cells) => `| ${cells.join(' | ')} |\n`)
    .join('');

if (import.meta.main) console.log(settingsTable());
