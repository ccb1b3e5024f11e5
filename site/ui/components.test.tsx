import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { honeypotField } from '#contract/inbox.ts';
import { Button } from './button.tsx';
import { Field } from './field.tsx';
import { Form } from './form.tsx';
import { Honeypot } from './honeypot.tsx';
import { Icon } from './icon.tsx';
import { iconNames } from './icons.ts';
import { pageNumbers, Pagination } from './pagination.tsx';

test('The honeypot has the name that the server looks for', () => {
  expect(renderToStaticMarkup(<Honeypot id="trap" />)).toContain(`name="${honeypotField}"`);
});

test('A screen reader announces the error and the help of a field', () => {
  const html = renderToStaticMarkup(
    <Field label="Email" name="email" help="We reply here." error="Provide a Valid Email" />,
  );
  expect(html).toContain('aria-describedby="email-error email-help"');
  expect(html).toContain('aria-invalid="true"');
  expect(html).toMatch(/<label for="email"/);
});

test('A field shows the error that its form has under its name', () => {
  const html = renderToStaticMarkup(
    <Form errors={{ email: 'Provide a Valid Email' }} onSend={() => undefined}>
      <Field label="Name" name="name" />
      <Field label="Email" name="email" />
    </Form>,
  );
  expect(html).toContain('<p id="email-error" class="_error');
  expect(html).not.toContain('name-error');
});

test('A busy button is announced as busy and cannot be pressed again', () => {
  const html = renderToStaticMarkup(<Button busy>Save</Button>);
  expect(html).toContain('aria-busy="true"');
  expect(html).toContain('aria-disabled="true"');
});

test('Visitors see the named icon in any spelling, and a neutral one for an unknown name', () => {
  expect(renderToStaticMarkup(<Icon name=" Map Pin " />)).toContain('lucide-map-pin');
  expect(renderToStaticMarkup(<Icon name="fa fa-users" />)).toContain('lucide-circle');
  expect(renderToStaticMarkup(<Icon name="constructor" />)).toContain('lucide-circle');
  expect(iconNames.length).toBeGreaterThan(50);
});

test.each([
  [1, 7, [1, 2, 3, 4, 5, 6, 7]],
  [1, 8, [1, 2, 3, 4, 5, 0, 8]],
  [1, 20, [1, 2, 3, 4, 5, 0, 20]],
  [10, 20, [1, 0, 9, 10, 11, 0, 20]],
  [20, 20, [1, 0, 16, 17, 18, 19, 20]],
])('A visitor on page %i of %i sees links to %j', (page, pageCount, numbers) => {
  expect(pageNumbers(page, pageCount)).toEqual(numbers);
});

test('A list of one page has no pager', () => {
  const list = { page: 1, pageCount: 1, setPage: () => undefined };
  expect(renderToStaticMarkup(<Pagination list={list} label="Pages" />)).toBe('');
});
