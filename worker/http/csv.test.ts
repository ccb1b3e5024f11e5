import { expect, test } from 'vitest';
import { csvCell, csvResponse } from './csv.ts';

test('A cell that a spreadsheet would run as a formula is shown as text', () => {
  for (const start of ['=', '+', '-', '@', '\t', '\r', '\n'])
    expect(csvCell(`${start}cmd|'/c calc'!A0`)).toBe(`"'${start}cmd|'/c calc'!A0"`);
  expect(csvCell('ann@customers.example')).toBe('ann@customers.example');
  for (const number of ['499.50', '-499.00', '-7']) expect(csvCell(number)).toBe(number);
  for (const text of ['-1+1', '-', '-1.50\n', '--1']) expect(csvCell(text)).toBe(`"'${text}"`);
});

test('Commas, quotes and line breaks stay in their cell', () => {
  expect(csvCell('a,b')).toBe('"a,b"');
  expect(csvCell('say "hi"')).toBe('"say ""hi"""');
  expect(csvCell('two\nlines')).toBe('"two\nlines"');
});

test('A file is read from its source only as fast as it is taken, and no further than it is wanted', async () => {
  let read = 0;
  let isClosed = false;
  async function* chunks() {
    try {
      for (; read < 1_000; read += 1) yield await Promise.resolve([read]);
    } finally {
      isClosed = true;
    }
  }
  const reader = csvResponse('numbers.csv', [['Number', String]], chunks()).body?.getReader();
  for (let count = 0; count < 3; count += 1) await reader?.read();
  await reader?.cancel();
  expect(read).toBeLessThan(10);
  expect(isClosed).toBe(true);
});
