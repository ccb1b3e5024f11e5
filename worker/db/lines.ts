/** Splits a stream of text into lines. */

/** @returns the lines that each piece completes. Only `\n` ends a line. Text after the last `\n` is dropped */
export async function* readLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of pieces) {
    const text = decoder.decode(piece, { stream: true });
    if (!text.includes('\n')) {
      rest += text;
      continue;
    }
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    yield lines;
  }
}
