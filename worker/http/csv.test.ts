import { expect, test } from 'vitest';
import { csvCell, csvResponse } from './csv.ts';

test('A spreadsheet shows a cell that looks like a formula as text', () => {
  for (const start of ['=', '+', '-', '@', '\t', '\r', '\n'])
    expect(csvCell(`${start}cmd|'/c calc'!A0`)).toBe(`"'${start}cmd|'/c calc'!A0"`);
  expect(csvCell('ann@customers.example')).toBe('ann@customers.example');
  for (const number of ['499.50', '-499.00', '-7']) expect(csvCell(number)).toBe(number);
  for (const text of ['-1+1', '-', '-1.50\n', '--1']) expect(csvCell(text)).toBe(`"'${text}"`);
});

test.each([
  ['a;@SUM(1)', "a;'@SUM(1)"],
  ['a; ="x"', 'a; \'="x"'],
  ['a\t=1+1', "a\t'=1+1"],
  ['two\n=1+1', "two\n'=1+1"],
  [' =1+1', " '=1+1"],
  ['"=1+1', '"\'=1+1'],
  ['＝1+1', "'＝1+1"],
  ['＠SUM(1)', "'＠SUM(1)"],
  ['﹦1+1', "'﹦1+1"],
  ['﹢1+1', "'﹢1+1"],
  ['﹣1+1', "'﹣1+1"],
  ['﹫SUM(1)', "'﹫SUM(1)"],
  ['⁼1+1', "'⁼1+1"],
  ['−1+1', "'−1+1"],
  ['a;﹦1+1', "a;'﹦1+1"],
])('A spreadsheet in any locale shows the formula in %j as text', (value, shown) => {
  expect(csvCell(value)).toBe(`"${shown.replaceAll('"', '""')}"`);
});

test('Phone numbers and other long numbers keep every digit, and shorter numbers stay numbers', () => {
  for (const digits of ['00493012345', '0312', '123456789012', '4111111111111111', '12E5'])
    expect(csvCell(digits)).toBe(`"'${digits}"`);
  expect(csvCell('+13125550142')).toBe(`"'+13125550142"`);
  for (const number of ['0', '0.50', '1042', '3125550142', 'a - b', 'a =b'])
    expect(csvCell(number)).toBe(number);
});

test.each([
  ...['1-2', '3/4', '1/2/2027', '2027/4/9', '1.2.2027', '4-2027', '2027-4', ' 1-2 ', '１－２', '2027-4-9'],
  ...['Mar 3', 'MARCH1', 'SEPT2', '3 March', '1-Jan-27', 'Jan-27', 'January 5, 2027', '1/2/2027 5:30 pm'],
  ...['12:30', '12:30:15', '5 PM', '5:30p', '100:30', '１２：３０'],
  ...['TRUE', 'false', ' True', 'ＴＲＵＥ'],
  ...[
    '1 1/2',
    '50%',
    '1,234',
    '1,5',
    '.5',
    '5.',
    '(5)',
    '$5',
    '5 €',
    '1e-5',
    '1E+5',
    '00.50',
    '-0123',
    '-$5',
  ],
  ...['１２３４', '#N/A', '#REF!', '#DIV/0!'],
])('A spreadsheet shows %j as it was typed', (text) => {
  expect(csvCell(text)).toBe(`"'${text}"`);
});

test.each([
  ...['2027-04-09', '2027-04-09T10:48:00.000Z', '#1042', '499.50', '312-555-0142', '(312) 555-0142'],
  ...[
    '192.168.1.1',
    '12 Harbor Street',
    'April',
    'Mark 3',
    'May',
    'Truesdale',
    'a 1/2',
    '/',
    '$',
    '.',
    'US',
    '',
  ],
])('A spreadsheet leaves %j alone, so that nothing is added to it', (text) => {
  expect(csvCell(text)).toBe(text);
});

test('Commas, quotes and line breaks do not split a cell', () => {
  expect(csvCell('a,b')).toBe('"a,b"');
  expect(csvCell('say "hi"')).toBe('"say ""hi"""');
  expect(csvCell('two\nlines')).toBe('"two\nlines"');
});

test('An export reads rows only as fast as the client takes them, and stops when the client leaves', async () => {
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
  const heading: unknown = (await reader?.read())?.value;
  // With the UTF-8 byte order mark.
  expect(heading).toEqual(new TextEncoder().encode('\ufeffNumber\r\n'));
  for (let count = 0; count < 2; count += 1) await reader?.read();
  await reader?.cancel();
  expect(read).toBeLessThan(10);
  expect(isClosed).toBe(true);
});
