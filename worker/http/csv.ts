/** CSV exports (RFC 4180): streamed chunk by chunk, and safe to open in a spreadsheet. */

/** The gaps of a text, with the sign behind each that begins a formula, also in the full width in which East Asian spreadsheets read them. */
const gaps = /(^[\s"';]*|[\s"';]+)([=+\-@\uff1d\uff0b\uff0d\uff20]?)/g;

/**
 * A text with an apostrophe before what a spreadsheet would run as a formula
 * (https://owasp.org/www-community/attacks/CSV_Injection): at its beginning, and after semicolons, tabs and line breaks,
 * at which the spreadsheets of some countries begin a cell.
 */
function withoutFormulas(text: string): string {
  const guarded = text.replace(gaps, (whole, gap: string, sign: string, offset: number) =>
    sign !== '' && (offset === 0 || /[;\t\r\n]/.test(gap)) ? `${gap}'${sign}` : whole,
  );
  return /^[\t\r\n]/.test(guarded) ? `'${guarded}` : guarded;
}

/** Digits that a spreadsheet would change: it drops zeros that lead, and rounds long numbers or writes them as powers. */
const isChangedNumber = (text: string): boolean => /^\s*(0\d+|\d{12,}|\d+(\.\d+)?e\d+)\s*$/i.test(text);

/**
 * One cell. A text that a spreadsheet would run or change gets an apostrophe; a negative number stays a number, so that
 * it can be summed.
 */
export function csvCell(value: string): string {
  const isNegative = /^-\d{1,11}(\.\d+)?$/.test(value);
  const safe = isNegative ? value : isChangedNumber(value) ? `'${value}` : withoutFormulas(value);
  return /[",;\r\n]/.test(safe) || safe !== value ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const csvLine = (values: readonly string[]) => `${values.map(csvCell).join(',')}\r\n`;

/**
 * A CSV file as a response; rows are read as fast as the client takes them.
 * @param name the file's name
 * @param columns a heading and the value of a record, for each column
 */
export function csvResponse<T>(
  name: string,
  columns: readonly (readonly [heading: string, value: (record: T) => string])[],
  chunks: AsyncGenerator<readonly T[], void>,
): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      // The byte order mark tells spreadsheets that this is UTF-8.
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
