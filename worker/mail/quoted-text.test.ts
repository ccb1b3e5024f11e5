import { describe, expect, test } from 'vitest';
import { splitQuoted } from './quoted-text.ts';

describe('The quoted text of an email is separated', () => {
  test.each([
    ['Gmail', 'On Mon, Nov 2, 2026 at 9:00 AM Acme <reply@firm.example> wrote:\n\n> Hello\n> there'],
    [
      'Gmail, broken',
      'On Mon, Nov 2, 2026 at 9:00 AM Acme\n<reply+o0123456789@firm.example>\nwrote:\n> Hello',
    ],
    ['Outlook', 'From: Acme <reply@firm.example>\nSent: Monday\nTo: Ann\nSubject: Re: Hi\n\nHello'],
    ['Outlook on the web', '________________________________\nFrom: Acme\nHello'],
    ['an old Outlook', '-----Original Message-----\nHello'],
    ['bare quotes', '> Hello\n>\n> there'],
    ['a signature', '-- \nAnn Example\nAcme Loans'],
    ['a signature without its space', '--\nAnn Example'],
    ['a phone', 'Sent from my iPhone\n\n> Hello'],
  ])('%s', (_name, quoted) => {
    expect(splitQuoted(`Yes, please.\r\nTuesday is fine.\r\n\r\n${quoted}\r\n`)).toEqual({
      text: 'Yes, please.\nTuesday is fine.',
      quoted,
    });
  });
});

test('Answers between quoted lines stay together with them', () => {
  const mail = '> When?\nTuesday.\n> Where?\nAt our office.';
  expect(splitQuoted(mail)).toEqual({ text: mail, quoted: '' });
});

test('Plain sentences are not mistaken for a quotation', () => {
  const mail = 'On Monday we met.\nFrom: here to there.\nShe wrote: yes -- and more.\nAll the best';
  expect(splitQuoted(mail)).toEqual({ text: mail, quoted: '' });
});

test('An email that contains only a quotation is kept whole', () => {
  expect(splitQuoted('> Hello')).toEqual({ text: '> Hello', quoted: '' });
  expect(splitQuoted('')).toEqual({ text: '', quoted: '' });
});
