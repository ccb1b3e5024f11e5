/** The guides of security and operations name the test files that prove each rule. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { projectDir } from '#deploy/worker-config.ts';

test('Every test file that a guide names exists', () => {
  const files = globSync('{tests,worker,site,dev}/**/*.{ts,tsx}', { cwd: projectDir });
  const names = new Set(files.map((file) => basename(file)));
  for (const guide of ['security.md', 'operations.md']) {
    const text = readFileSync(join(projectDir, 'docs', guide), 'utf8');
    const named = [...text.matchAll(/`([\w.-]+\.(?:test|spec)\.tsx?)`/g)].map(([, name = '']) => name);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => !names.has(name))).toEqual([]);
  }
});
