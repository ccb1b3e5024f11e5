/**
 * The description of the API. It is complete, a published validator accepts it, and the responses in all tests are
 * checked against it.
 */
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { sharedSystem } from '../support/shared-system.ts';
import { allCalls } from '#contract/all-calls.ts';
import { checkAnswer } from '../support/api-description.ts';
import { Visitor } from '../support/visitor.ts';

interface Description {
  readonly openapi: string;
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly 'x-audience': string; readonly requestBody?: object }>>>
  >;
}

const read = async () => (await new Visitor(sharedSystem.url).get('/api/openapi.json')).json as Description;

test('Anyone can read a valid description of every call', async () => {
  const description = await read();
  const { valid, errors } = await new Validator().validate({ ...description });
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
  expect(description.openapi).toMatch(/^3\.1\./);
  const told = Object.entries(description.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { 'x-audience': who, requestBody }]) => ({
      name: `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`,
      who,
      takesBody: requestBody !== undefined,
    })),
  );
  const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name);
  expect(told.toSorted(byName)).toEqual(
    allCalls
      .map(({ name, who, body, accepts }) => ({
        name,
        who,
        takesBody: body !== undefined || accepts === 'file' || accepts === 'bytes',
      }))
      .toSorted(byName),
  );
});

test('A query parameter that a call requires is described as required', async () => {
  const { paths } = (await read()) as unknown as {
    readonly paths: Record<
      string,
      Record<string, { readonly parameters?: readonly { readonly name: string }[] }>
    >;
  };
  const ofUpload = paths['/order/{id}/files']?.['post']?.parameters;
  expect(ofUpload?.find(({ name }) => name === 'name')).toMatchObject({ in: 'query', required: true });
  const ofList = paths['/orders']?.['get']?.parameters;
  expect(ofList?.find(({ name }) => name === 'sort')).toMatchObject({ in: 'query', required: false });
});

test('A response that is not in the description fails the test that gets it', () => {
  const answer = { method: 'GET', path: '/api/setup', contentType: 'application/json' };
  expect(() => checkAnswer({ ...answer, status: 200, text: '{"needed":true}' })).not.toThrow();
  expect(() => checkAnswer({ ...answer, status: 200, text: '{"needed":"yes"}' })).toThrow(/another shape/);
  expect(() => checkAnswer({ ...answer, status: 200, text: '{"needed":true,"secret":"x"}' })).toThrow(
    /another shape/,
  );
  expect(() => checkAnswer({ ...answer, status: 418, text: '{}' })).toThrow(/does not tell of status/);
});
