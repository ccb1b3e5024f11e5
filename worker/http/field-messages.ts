/** Messages of the API for invalid fields whose rule has no text of its own. */
import type { z } from 'zod';

/** What Zod found wrong with a value. */
type Issue = Parameters<z.core.$ZodErrorMap>[0];

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

/** What a limit counts; empty for numbers. */
const units: Readonly<Record<string, string>> = { string: ' characters', array: ' entries' };

const limitText = ({ origin }: Pick<z.core.$ZodIssueTooBig, 'origin'>, words: string, limit: unknown) =>
  `Use ${words} ${String(limit)}${units[origin] ?? ''}.`;

/** A sentence that tells a person what to do, instead of Zod's message. */
export function fieldMessage(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type': {
      if (issue.input === undefined) return 'This field is required.';
      const kind = kinds[issue.expected];
      return kind === undefined ? 'This value is not valid.' : `Use ${kind}.`;
    }
    case 'too_big':
      return limitText(issue, 'at most', issue.maximum);
    case 'too_small':
      return limitText(issue, 'at least', issue.minimum);
    case 'invalid_value':
      return `Use one of these: ${issue.values.map(String).join(', ')}.`;
    default:
      return 'This value is not valid.';
  }
}
