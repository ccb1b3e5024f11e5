/** CSV exports (RFC 4180): streamed chunk by chunk, and safe to open in a spreadsheet. */

/**
 * One cell. A text that a spreadsheet would run as a formula gets a leading apostrophe
 * (https://owasp.org/www-community/attacks/CSV_Injection); a negative number stays a number, so that it can be summed.
 */
export function csvCell(value: string): string {
  const isFormula = /^[=+\-@\t\r\n]/.test(value) && !/^-\d+(\.\d+)?$/.test(value);
  const safe = isFormula ? `'${value}` : value;
  return /[",\r\n]/.test(safe) || safe !== value ? `"${safe.replaceAll('"', '""')}"` : safe;
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
