/** Separates the text of an email from its signature and from the text that it quotes. Nothing is dropped. */

/** A line that begins the quoted email. */
const beginnings: readonly RegExp[] = [
  // "On Mon, Nov 2, 2026 at 9:00 AM Acme <reply@firm.example> wrote:", which may span several lines.
  /^(?:on|am|le|el|il|op) .{3,200}(?:wrote|schrieb|écrit|escribió|scritto|schreef).{0,80}:$/i,
  /^-{2,}\s*(?:original|forwarded) message\s*-{2,}$/i,
  /^_{10,}$/,
  // Outlook repeats the headers of the email, without a line above.
  /^\*?from:\*? .{3,200}@.{3,200}$/i,
];

const signatures: readonly RegExp[] = [
  // RFC 3676, section 4.3.
  /^-- ?$/,
  /^(?:sent from my |get outlook for |sent via ).{2,60}$/i,
];

/** How many lines the sentence above a quoted email may span. */
const maxIntroLines = 3;

/** Whether the quoted email or the signature begins at a line. */
function endsAt(lines: readonly string[], index: number): boolean {
  const line = lines[index]?.trim() ?? '';
  if (signatures.some((pattern) => pattern.test(lines[index]?.trimStart() ?? ''))) return true;
  if (beginnings.some((pattern) => pattern.test(line))) return true;
  if (!/^(?:on|am|le|el|il|op) /i.test(line)) return false;
  const joined = (count: number) =>
    lines
      .slice(index, index + count)
      .map((part) => part.trim())
      .join(' ');
  return Array.from({ length: maxIntroLines - 1 }, (_, more) => joined(more + 2)).some((text) =>
    beginnings[0]?.test(text),
  );
}

/**
 * Splits the text of an email. Answers between quoted lines stay in the text together with these lines. If there is no
 * text above the quotation, the whole email is the text.
 */
export function splitQuoted(mail: string): { readonly text: string; readonly quoted: string } {
  const lines = mail.replaceAll('\r\n', '\n').trim().split('\n');
  const lastUnquoted = lines.findLastIndex((line) => !/^\s*(?:>|$)/.test(line));
  const end = lines.findIndex(
    (line, index) => endsAt(lines, index) || (index > lastUnquoted && line.trimStart().startsWith('>')),
  );
  const text = lines
    .slice(0, end < 0 ? undefined : end)
    .join('\n')
    .trim();
  if (end < 0 || text === '') return { text: lines.join('\n'), quoted: '' };
  return { text, quoted: lines.slice(end).join('\n').trim() };
}
