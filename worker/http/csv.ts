/** CSV exports (RFC 4180): streamed in chunks, and safe to open in a spreadsheet. */

/**
 * The characters that start a formula. East Asian spreadsheets also accept full-width, small, superscript and subscript
 * forms.
 */
const formulaSigns =
  '=\uFF1D\uFE66\u207C\u208C+\uFF0B\uFE62\u207A\u208A\\-\uFF0D\uFE63\u207B\u208B\u2212@\uFF20\uFE6B';

/** A separator, and the next character if that starts a formula. */
const formulaStarts = new RegExp(`(^[\\s"';]*|[\\s"';]+)([${formulaSigns}]?)`, 'g');

/**
 * Puts an apostrophe before text that a spreadsheet would run as a formula
 * (https://owasp.org/www-community/attacks/CSV_Injection): at the beginning, and after semicolons, tabs and line
 * breaks, which start a new cell in some locales.
 */
function escapeFormulas(text: string): string {
  const escaped = text.replace(formulaStarts, (whole, separator: string, sign: string, offset: number) =>
    sign !== '' && (offset === 0 || /[;\t\r\n]/.test(separator)) ? `${separator}'${sign}` : whole,
  );
  return /^[\t\r\n]/.test(escaped) ? `'${escaped}` : escaped;
}

/** Numbers and days in this product's format. A spreadsheet shows the same number or day after parsing them. */
const plain = /^(?:-?(?:0|[1-9]\d{0,10})(?:\.\d{1,4})?|\d{4}-\d{2}-\d{2})$/;

const month =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const between = '[-/., ]{0,2}';
const time = String.raw`\d{1,4}(?::\d{1,2}){1,2}(?:[.,]\d+)?(?: ?[ap]m?)?|\d{1,2} ?[ap]m?`;
const day = [
  String.raw`\d{1,2}[-/.]\d{1,4}(?:[-/.]\d{1,4})?`,
  String.raw`\d{4}[-/.]\d{1,2}(?:[-/.]\d{1,2})?`,
  String.raw`\d{1,4}${between}${month}(?:${between}\d{1,4})?`,
  String.raw`${month}${between}\d{1,4}(?:${between}\d{1,4})?`,
].join('|');

/** Text that Excel, LibreOffice and Google Sheets convert to another value, so that the typed text is lost. */
const readAsValue: readonly RegExp[] = [
  // Numbers that lose digits or signs: leading zeros, exponents, too many digits, percents, groups, currencies.
  /^\d+$/,
  /^\d+(?:[.,]\d*)?e[+-]?\d+$/i,
  /^(?=.*\d)[-(]?[$€£¥]? ?(?:\d+|\d{1,3}(?:[ ,.'’]\d{3})+)?(?:[.,]\d*)? ?[%$€£¥]?\)?$/,
  // Fractions such as 1 1/2.
  /^\d+ \d+\/\d+$/,
  new RegExp(`^(?:${time})$`, 'i'),
  new RegExp(`^(?:${day})(?:,? (?:${time}))?$`, 'i'),
  /^(?:true|false)$/i,
  // Errors of formulas, such as #N/A.
  /^#(?:n\/a|[a-z\d/]+[!?])$/i,
];

/** Whether a spreadsheet would turn a text into another value. It treats full-width characters like regular ones. */
function isReadAsValue(text: string): boolean {
  const read = text.normalize('NFKC').trim();
  return read !== '' && readAsValue.some((pattern) => pattern.test(read));
}

/**
 * One cell. Text that a spreadsheet would run or convert gets an apostrophe. Plain numbers and days stay as they are,
 * so that a spreadsheet can add up the numbers.
 */
export function csvCell(value: string): string {
  const safe = plain.test(value) ? value : isReadAsValue(value) ? `'${value}` : escapeFormulas(value);
  return /[",;\r\n]/.test(safe) || safe !== value ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const csvLine = (values: readonly string[]) => `${values.map(csvCell).join(',')}\r\n`;

/** The heading of each column, and a function that reads its value. */
export type CsvColumns<T> = readonly (readonly [heading: string, value: (record: T) => string])[];

/**
 * A CSV file as a response. It reads rows only as fast as the client takes them.
 * @param name the file name
 */
export function csvResponse<T>(
  name: string,
  columns: CsvColumns<T>,
  chunks: AsyncGenerator<readonly T[], void>,
): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      // Spreadsheets recognize UTF-8 by the byte order mark.
      controller.enqueue(encoder.encode(`\u{FEFF}${csvLine(columns.map(([heading]) => heading))}`));
    },
    async pull(controller) {
      const next = await chunks.next();
      if (next.done === true) {
        controller.close();
        return;
      }
      controller.enqueue(
        encoder.encode(next.value.map((record) => csvLine(columns.map(([, read]) => read(record)))).join('')),
      );
    },
    async cancel() {
      await chunks.return();
    },
  });
  return new Response(body, {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name}"`,
      'Cache-Control': 'no-store',
    },
  });
}
