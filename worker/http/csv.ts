/** CSV exports (RFC 4180): streamed in chunks, and safe to open in a spreadsheet. */

/**
 * A separator, and the character after it if that starts a formula. East Asian spreadsheets accept full-width
 * characters.
 */
const formulaStarts = /(^[\s"';]*|[\s"';]+)([=+\-@\uff1d\uff0b\uff0d\uff20]?)/g;

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

/**
 * Whether a spreadsheet would change a number: it drops leading zeros, and rounds long numbers or shows them as powers.
 */
const isChangedNumber = (text: string): boolean => /^\s*(0\d+|\d{12,}|\d+(\.\d+)?e\d+)\s*$/i.test(text);

/**
 * One cell. Text that a spreadsheet would run or change gets an apostrophe. A negative number stays a number, so that a
 * spreadsheet can add it up.
 */
export function csvCell(value: string): string {
  const isNegative = /^-\d{1,11}(\.\d+)?$/.test(value);
  const safe = isNegative ? value : isChangedNumber(value) ? `'${value}` : escapeFormulas(value);
  return /[",;\r\n]/.test(safe) || safe !== value ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const csvLine = (values: readonly string[]) => `${values.map(csvCell).join(',')}\r\n`;

/**
 * A CSV file as a response. It reads rows only as fast as the client takes them.
 * @param name the file name
 * @param columns the heading of each column, and a function that reads its value
 */
export function csvResponse<T>(
  name: string,
  columns: readonly (readonly [heading: string, value: (record: T) => string])[],
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
