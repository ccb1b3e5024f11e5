import { describe, expect, test } from 'vitest';
import { isSafeAddress } from './addresses.ts';
import { priceProblem } from './money.ts';
import { ruleOf } from './field-kinds.ts';
import { newPaymentKey } from './payments.calls.ts';
import { addSchema, updateSchema } from './fields.ts';
import type { Field } from './section.ts';
import { sections } from './sections/index.ts';

test('A link may lead to a web address, a path on this site, an email, a phone number or a part of the page', () => {
  for (const address of [
    'https://a.example/x?y#z',
    'http://a.example',
    'mailto:a@b.example',
    'tel:+123',
    '/pricing/',
    '#top',
    '/#x',
  ])
    expect(isSafeAddress(address, 'link'), address).toBe(true);
  for (const address of [
    ...['javascript:alert(1)', 'JaVaScRiPt:alert(1)', ' javascript:alert(1)', 'java\nscript:alert(1)'],
    ...['java\tscript:alert(1)', '\u0001javascript:alert(1)', 'vbscript:x', 'blob:https://a.example/x', ''],
    ...['data:text/html,x', '//evil.example', '/\\evil.example', 'evil.example', 'https://', 'https:evil'],
    ...['ftp://a.example', '\\\\evil.example', '/\t/evil.example', '/\n/evil.example', 'relative/path', ' '],
  ])
    expect(isSafeAddress(address, 'link'), address).toBe(false);
});

test('A picture may only have an https: address or a path on this site', () => {
  for (const address of ['https://a.example/a.png', '/images/a.png'])
    expect(isSafeAddress(address, 'image'), address).toBe(true);
  for (const address of [
    ...['http://a.example/a.png', 'mailto:a@b.example', '#top', '//a.example', 'data:image/png;base64,AA'],
    'javascript:alert(1)',
  ])
    expect(isSafeAddress(address, 'image'), address).toBe(false);
});

test('An article has at most eight tags, each at most 40 characters long and with a Latin letter or a digit', () => {
  const problemOfTags = (tags: string) =>
    updateSchema(sections.article)
      .safeParse({ tags })
      .error?.issues.map(({ path, message }) => [path[0], message]);
  expect(problemOfTags('1, 2, 3, 4, 5, 6, 7, 8, 8, Été, ')).toEqual([
    ['tags', 'Use at most 8 tags. There are 9.'],
  ]);
  expect(problemOfTags(`Loans, ${'a'.repeat(41)}`)?.[0]?.[1]).toContain(`“${'a'.repeat(40)}…” is too long`);
  expect(problemOfTags('Loans, 贷款')?.[0]?.[1]).toContain('The tag “贷款” needs a Latin letter');
  for (const tags of ['', '1, 2, 3, 4, 5, 6, 7, 8, 8', 'a'.repeat(40), '贷款 loans'])
    expect(problemOfTags(tags), tags).toBeUndefined();
});

describe('The fields of a section', () => {
  const samples = Object.entries<Field>(sections.banner.fields).map(([name, field]): [string, string] => [
    name,
    ruleOf(field).sample(1, field),
  ]);
  const banner = {
    ...Object.fromEntries(samples),
    bannerHeading: ' Heading ',
    bannerDetails: '<b>shown as typed</b>',
    bannerText: 'مرحبا 🙂',
    imageOne: '/images/banner.svg',
    buttonText: 'See packages',
    buttonURL: '/pricing/',
  };
  const errorsOf = (values: unknown) =>
    addSchema(sections.banner)
      .safeParse(values)
      .error?.issues.map(({ path, message }) => [path[0], message]);

  test('are trimmed and otherwise unchanged', () => {
    expect(addSchema(sections.banner).parse(banner)).toEqual({ ...banner, bannerHeading: 'Heading' });
  });

  test('lose invisible characters that were pasted with an address or a price, but not those in a text', () => {
    const pasted = { ...banner, bannerText: 'ភាសា\u200bខ្មែរ', buttonURL: '\u202a/pricing/\u200b\u2060' };
    expect(addSchema(sections.banner).parse(pasted)).toMatchObject({
      bannerText: pasted.bannerText,
      buttonURL: '/pricing/',
    });
    expect(updateSchema(sections.pricingPackage).parse({ packagePrice: '\ufeff499' })).toEqual({
      packagePrice: '499',
    });
  });

  test('count a line break as one character, as the form does', () => {
    const lines = `${'x\r\n'.repeat(2_499)}x`;
    expect(addSchema(sections.banner).parse({ ...banner, bannerText: lines })).toMatchObject({
      bannerText: lines.replaceAll('\r', ''),
    });
  });

  test('must be text that is present, not blank, not too long and without unprintable characters', () => {
    expect(errorsOf({ ...banner, bannerHeading: undefined })).toEqual([
      ['bannerHeading', 'Heading is required.'],
    ]);
    for (const blank of ['   ', '\u200b', ' \u2060\u00ad\n'])
      expect(errorsOf({ ...banner, bannerHeading: blank })).toEqual([
        ['bannerHeading', 'Heading is required.'],
      ]);
    expect(errorsOf({ ...banner, bannerHeading: 5 })).toEqual([['bannerHeading', 'Heading must be text.']]);
    expect(errorsOf({ ...banner, bannerHeading: 'x'.repeat(5_001) })?.[0]?.[1]).toContain('5,000');
    expect(errorsOf({ ...banner, bannerHeading: 'x'.repeat(5_000) })).toBeUndefined();
    const isLegal = (text: string) => updateSchema(sections.legalPage).safeParse({ text }).success;
    expect([isLegal('x'.repeat(50_000)), isLegal('x'.repeat(50_001))]).toEqual([true, false]);
    expect(errorsOf({ ...banner, bannerHeading: 'a\u0000b' })?.[0]?.[1]).toContain('cannot be shown');
    expect(errorsOf({ ...banner, bannerHeading: '\ud800' })?.[0]?.[1]).toContain('cannot be shown');
  });

  test('may be empty if only one variant uses them, and may be absent in an update', () => {
    expect(updateSchema(sections.about).parse({ aboutPointone: '' })).toEqual({ aboutPointone: '' });
    expect(updateSchema(sections.about).safeParse({ aboutHeading: '' }).success).toBe(false);
  });

  test('accept a plain decimal price that a card can be charged', () => {
    const refusalOf = (packagePrice: string) =>
      updateSchema(sections.pricingPackage).safeParse({ packagePrice }).error?.issues[0]?.message;
    for (const price of ['0.50', '499', '999999.99']) expect(refusalOf(price)).toBeUndefined();
    for (const price of ['0.49', '0', '$599', '1,200', '1000000'])
      expect(refusalOf(price)).toBe(priceProblem);
  });
});

test('A secret key is rejected as the payment key, with the reason', () => {
  const result = newPaymentKey.safeParse({ stripeKey: 'sk_live_abc' });
  expect(result.error?.issues.map(({ message }) => message)).toEqual([
    expect.stringContaining('secret key and must never be typed'),
  ]);
  expect(newPaymentKey.safeParse({ stripeKey: ' pk_test_abc ' }).data).toEqual({ stripeKey: 'pk_test_abc' });
  expect(newPaymentKey.safeParse({ stripeKey: 'pk_of_something' }).success).toBe(false);
});
