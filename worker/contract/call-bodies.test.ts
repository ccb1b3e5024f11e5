import { expect, test } from 'vitest';
import * as z from 'zod';
import { allCalls } from './all-calls.ts';

interface Schema {
  readonly type?: string;
  readonly additionalProperties?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

const formsOf = (schema: Schema): Schema[] =>
  schema.type === 'object'
    ? [schema]
    : [schema.anyOf, schema.oneOf, schema.allOf].flatMap((forms = []) => forms.flatMap(formsOf));

test('No call accepts a field that its schema does not list', () => {
  const bodies = allCalls.flatMap(({ name, body, accepts }) =>
    body && accepts !== 'signed'
      ? [[name, formsOf(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as Schema)] as const]
      : [],
  );
  expect(bodies.length).toBeGreaterThan(100);
  for (const [name, forms] of bodies) {
    expect(forms.length, name).toBeGreaterThan(0);
    for (const form of forms) expect(form.additionalProperties, name).toBe(false);
  }
});
