/** Parses a URL, for browsers without `URL.parse` and `URL.canParse` (Safari before 17). */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
