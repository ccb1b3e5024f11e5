/** Describes the device of a session well enough for its owner to recognize it. */
import type { RequestDeps } from '../http/app.ts';

const browsers: readonly (readonly [RegExp, string])[] = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];

const systems: readonly (readonly [RegExp, string])[] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/CrOS/, 'ChromeOS'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
];

const firstMatch = (names: typeof browsers, text: string) =>
  names.find(([pattern]) => pattern.test(text))?.[1];

/** The browser and system of a request, such as 'Firefox on Windows'. */
export function deviceOf({ userAgent }: Pick<RequestDeps, 'userAgent'>): string {
  const browser = firstMatch(browsers, userAgent) ?? 'A browser';
  const system = firstMatch(systems, userAgent);
  return system === undefined ? browser : `${browser} on ${system}`;
}
