/** A text that comes in pieces, read line by line. */

/** @returns the lines that each piece completes. A line ends with `\n` and nothing else; what follows the last one is left out */
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
